import { Injectable } from '@nestjs/common';
import { AccountsService } from '../../modules/accounts/accounts.service.js';
import { ApiApplicationsService } from '../../modules/accounts/applications/api-applications.service.js';
import { PersonalReadLog } from '../../modules/personal-reads/personal-read-log.service.js';
import type { KeptReads, RecordOfReads } from '../../modules/personal-reads/personal-read.model.js';
import { PersonalReadsService } from '../../modules/personal-reads/personal-reads.service.js';
import { RetentionRulesService } from '../../modules/retention/retention-rules.service.js';
import { SaleService } from '../../modules/reports/sale/sale.service.js';
import type { PageAnswer } from '../http/page-answer.js';
import type { PageRoutes, Pages } from '../http/page-router.js';
import type { SignedInVisit } from '../session/visit.js';
import { dataProtectionPage } from './data-protection.view.js';
import { positionIn, problemsOf, readsQueryOf } from './reads-query.js';
import type { Readers } from './reads.view.js';

const ROWS = 50;

/** Serves the page that shows a vendor how long customers' data is kept and who read it. */
@Injectable()
export class DataProtectionPages implements Pages {
  constructor(
    private readonly log: PersonalReadLog,
    private readonly reads: PersonalReadsService,
    private readonly retention: RetentionRulesService,
    private readonly sales: SaleService,
    private readonly accounts: AccountsService,
    private readonly applications: ApiApplicationsService,
  ) {}

  addTo(routes: PageRoutes): void {
    routes.get('/data-protection', (visit) => this.show(visit));
  }

  private async show(visit: SignedInVisit): Promise<PageAnswer> {
    const query = readsQueryOf(visit);
    const problems = problemsOf(query);
    const vendor_id = visit.user.id;
    const retention = await this.retention.of(vendor_id);
    const shown = { query, problems, isNoted: this.log.isOn, retention };
    if (problems.length > 0) return dataProtectionPage({ ...shown, found: null });
    const criteria = {
      vendor_id,
      first_day: query.from === '' ? null : query.from,
      last_day: query.to === '' ? null : query.to,
      record: query.transaction === '' ? null : await this.recordOf(vendor_id, query.transaction),
    };
    const page = await this.reads.page(criteria, positionIn(visit.query('before')), ROWS);
    const readers = await this.readersOf(vendor_id, page.reads);
    return dataProtectionPage({ ...shown, found: { page, readers } });
  }

  private async recordOf(vendor_id: number, record_key: string): Promise<RecordOfReads> {
    return { record_key, days: await this.sales.daysInLists(vendor_id, record_key) };
  }

  private async readersOf(vendor_id: number, reads: readonly KeptReads[]): Promise<Readers> {
    const users = await this.accounts.usersByIds([...new Set(reads.map(({ user_id }) => user_id))]);
    const applications = await this.applications.applicationsOf(vendor_id);
    return {
      vendor_id,
      users: new Map(users.map(({ id, display_name, name }) => [id, display_name ?? name])),
      applications: new Map(applications.map(({ id, name }) => [id, name])),
    };
  }
}
