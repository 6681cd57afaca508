import {
  Injectable,
  pageOf,
  Table,
  times,
  transactionPath,
  type PageAnswer,
  type PageRoutes,
  type Pages,
  type SignedInVisit,
  type TableColumn,
} from 'vendor-reporting-api/extension';
import { SampleNameService } from './sample-name.service.js';
import type { SampleName } from './sample-name.table.js';

const COLUMNS: readonly TableColumn<SampleName>[] = [
  {
    name: 'Transaction',
    cell: ({ transaction_id }) => <a href={transactionPath(transaction_id)}>{transaction_id}</a>,
  },
  { name: 'Text', cell: ({ text }) => text },
  times('Saved', ({ saved }) => saved),
];

/** Serves the page with the texts of a vendor. Texts are escaped. */
@Injectable()
export class SampleNamePages implements Pages {
  constructor(private readonly texts: SampleNameService) {}

  addTo(routes: PageRoutes): void {
    routes.get('/sample-name', (visit) => this.list(visit));
  }

  private async list({ user }: SignedInVisit): Promise<PageAnswer> {
    const rows = await this.texts.latest(user.id);
    return pageOf(
      { title: 'Sample name' },
      <Table label="Texts" columns={COLUMNS} rows={rows} empty="You have no texts." />,
    );
  }
}
