import type { RecordFields } from '../../ledger-format/record-fields.js';
import type { AuditedChange, BatchRun, References } from '../../ledger-format/ledger.model.js';
import type { Overruled } from '../../ledger-format/overruled.js';
import type { Change, RecordKind } from '../../ledger-format/record-batch.js';
import {
  AFFILIATION_STATUSES,
  SALES_PAGE_URL_LENGTH,
  subjectOf,
  type Affiliation,
  type DailyClicks,
} from './affiliation.model.js';
import type { AffiliatesRepository } from './affiliates.repository.js';

/** The `affiliation` records of a ledger file (ledger format: affiliation). */
export class AffiliationRecords implements RecordKind<Affiliation> {
  readonly type = 'affiliation';
  private overruledOf = new Map<string, Overruled>();

  constructor(private readonly repository: AffiliatesRepository) {}

  read(fields: RecordFields, references: References): Affiliation {
    return {
      ...readParties(fields, references),
      created: fields.moment('created'),
      status: fields.choice('status', AFFILIATION_STATUSES),
      comments: fields.optionalLongText('comments'),
      custom_commission: fields.optionalInteger('custom_commission', 0, 100),
      delayed_commission: fields.optionalFlag('delayed_commission') ?? false,
      custom_sales_page_url: fields.optionalText('custom_sales_page_url', SALES_PAGE_URL_LENGTH),
      custom_payment_1st_payout: fields.optionalInteger('custom_payment_1st_payout'),
      custom_payment_trial_payout: fields.optionalInteger('custom_payment_trial_payout'),
    };
  }

  identity({ affiliate_id, product_id }: Affiliation): string {
    return `${affiliate_id}/${product_id}`;
  }

  async stored(run: BatchRun, affiliations: readonly Affiliation[]): Promise<Affiliation[]> {
    const stored = await this.repository.lockedAffiliations(run.session, affiliations);
    this.overruledOf = new Map(
      stored.map(({ content, overruled }) => [this.identity(content), overruled]),
    );
    return stored.map(({ content }) => content);
  }

  overruled(identity: string): Overruled {
    return this.overruledOf.get(identity) ?? null;
  }

  refusal(affiliation: Affiliation, line: number, run: BatchRun): string | null {
    return unknownParty(affiliation, line, run);
  }

  audited(before: Affiliation, after: Affiliation): AuditedChange {
    return { action: 'affiliation.import', subject: subjectOf(after), before, after };
  }

  async save(run: BatchRun, changes: readonly Change<Affiliation>[]): Promise<void> {
    const stored = changes.map(({ after, overruled }) => ({ content: after, overruled }));
    await this.repository.saveAffiliations(run.session, stored);
  }
}

/** The `clicks` records of a ledger file (ledger format: clicks). */
export class ClicksRecords implements RecordKind<DailyClicks> {
  readonly type = 'clicks';
  constructor(private readonly repository: AffiliatesRepository) {}

  read(fields: RecordFields, references: References): DailyClicks {
    return {
      ...readParties(fields, references),
      date: fields.day('date'),
      clicks: fields.integer('clicks'),
      unique_clicks: fields.integer('unique_clicks'),
    };
  }

  identity({ affiliate_id, product_id, date }: DailyClicks): string {
    return `${affiliate_id}/${product_id}/${date}`;
  }

  stored(run: BatchRun, clicks: readonly DailyClicks[]): Promise<DailyClicks[]> {
    return this.repository.clicksByKeys(run.session, clicks);
  }

  refusal(clicks: DailyClicks, line: number, run: BatchRun): string | null {
    return unknownParty(clicks, line, run);
  }

  async save(run: BatchRun, changes: readonly Change<DailyClicks>[]): Promise<void> {
    const clicks = changes.map(({ after }) => after);
    await this.repository.saveClicks(run.session, clicks);
  }
}

interface Parties {
  readonly affiliate_id: number;
  readonly product_id: number;
}

function readParties(fields: RecordFields, references: References): Parties {
  const parties = { affiliate_id: fields.id('affiliate_id'), product_id: fields.id('product_id') };
  references.users.add(parties.affiliate_id);
  references.products.add(parties.product_id);
  return parties;
}

function unknownParty(parties: Parties, line: number, run: BatchRun): string | null {
  if (!run.hasUser(parties.affiliate_id, line)) {
    return `affiliate_id: there is no user ${parties.affiliate_id}`;
  }
  return run.vendorOf(parties.product_id, line) === null
    ? `product_id: there is no product ${parties.product_id}`
    : null;
}
