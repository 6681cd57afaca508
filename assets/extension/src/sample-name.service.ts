import {
  ApiError,
  AuditLog,
  Database,
  dateTimeOf,
  Injectable,
  InjectRepository,
  LedgerSales,
  Repository,
  Settings,
  valueOf,
  type Author,
} from 'vendor-reporting-api/extension';
import { MAX_LENGTH } from './settings.js';
import { SampleNameEntity, type SampleName } from './sample-name.table.js';

/** Number of texts on the page. */
const LATEST = 100;

/** Reads and saves texts. Every statement names its vendor. */
@Injectable()
export class SampleNameService {
  constructor(
    private readonly database: Database,
    private readonly sales: LedgerSales,
    private readonly audit: AuditLog,
    private readonly settings: Settings,
    @InjectRepository(SampleNameEntity) private readonly texts: Repository<SampleName>,
  ) {}

  /** @throws ApiError not_found if the vendor has no such sale, or the sale has no text */
  async textOf(vendor_id: number, transaction_id: string): Promise<SampleName> {
    await this.sales.ownSale(vendor_id, transaction_id);
    const found = await this.texts.findOneBy({ vendor_id, transaction_id });
    if (found === null) throw new ApiError('not_found', 'The transaction has no text.');
    return found;
  }

  /**
   * Saves the text of a sale of the author. The audit log keeps no text.
   * @throws ApiError not_found if the author has no such sale, invalid_parameters for a long text
   */
  async save(author: Author, transaction_id: string, text: string): Promise<SampleName> {
    const max = valueOf(this.settings, MAX_LENGTH);
    if (Array.from(text).length > max) {
      throw new ApiError('invalid_parameters', `text must have at most ${max} characters.`);
    }
    const { user_id: vendor_id, application_id } = author;
    const row = { vendor_id, transaction_id, text, saved: dateTimeOf(new Date()) };
    // The work runs again after a deadlock or a failover, so it only has effects on its session.
    return this.database.writeIdempotent(async (session) => {
      await this.sales.lockOwnSale(session, vendor_id, transaction_id);
      const texts = session.manager.withRepository(this.texts);
      const before = await texts.findOneBy({ vendor_id, transaction_id });
      if (before?.text === text) return before;
      await texts.upsert(row, ['vendor_id', 'transaction_id']);
      await this.audit.record(session, {
        user_id: vendor_id,
        application_id,
        action: 'sample-name.save',
        subject: `transaction ${transaction_id}`,
        before: before === null ? null : { text: before.text },
        after: { text },
      });
      return row;
    });
  }

  latest(vendor_id: number): Promise<SampleName[]> {
    return this.texts.find({ where: { vendor_id }, order: { saved: 'DESC' }, take: LATEST });
  }

  count(vendor_id: number): Promise<number> {
    return this.texts.countBy({ vendor_id });
  }
}
