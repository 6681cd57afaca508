import type { Answer } from '../http/http.js';
import { affiliation, product, user } from './ledger-records.js';
import { openRaw, type RawRow } from '../sql/raw-connection.js';
import type { Environment } from '../../../src/config/settings.js';
import { TestService } from '../servers/service.js';

export const VENDOR = 1;
export const OTHER_VENDOR = 2;
export const AFFILIATE = 7;
/** An affiliate without terms for any product. */
export const STRANGER = 8;
export const PRODUCT = 12;
export const FOREIGN_PRODUCT = 22;
export const FORM = 'application/x-www-form-urlencoded';

/** Affiliate terms with every field set, as version 2.1 shows them before any write. */
export const STORED = {
  created: '2025-05-01T06:00:00+00:00',
  product_id: PRODUCT,
  affiliate_id: AFFILIATE,
  comments: 'Please.',
  status: 'REQUESTED',
  custom_commission: 30,
  delayed_commission: true,
  custom_sales_page_url: 'https://sales.example/a',
  custom_payment_1st_payout: 11,
  custom_payment_trial_payout: 12,
};

/** Two vendors with a product each, and an affiliate. `restore` adds terms with every field set. */
const LEDGER = [
  user(VENDOR),
  user(OTHER_VENDOR),
  user(AFFILIATE, { email: 'Affiliate@Example.test' }),
  user(STRANGER),
  product(PRODUCT, VENDOR),
  product(FOREIGN_PRODUCT, OTHER_VENDOR),
  affiliation(AFFILIATE, FOREIGN_PRODUCT),
];

export function relationshipPath(affiliate_id = AFFILIATE, product_id = PRODUCT): string {
  return `/v2.1/affiliates/${affiliate_id}/products/${product_id}`;
}

/** Calls the operations of version 2.1 on affiliate terms as one vendor. */
export class Relationships {
  private constructor(
    readonly service: TestService,
    readonly key: string,
  ) {}

  static async start(environment: Environment = {}): Promise<Relationships> {
    const service = await TestService.start(environment);
    await service.import(LEDGER);
    return new Relationships(service, await service.key(VENDOR));
  }

  stop(): Promise<void> {
    return this.service.stop();
  }

  /** Resets the terms of AFFILIATE for PRODUCT to STORED. */
  async restore(): Promise<void> {
    const { created, product_id, affiliate_id, ...fields } = STORED;
    // Otherwise changes made through the API would stay.
    await this.run('UPDATE affiliations SET overruled = NULL');
    await this.service.import([affiliation(affiliate_id, product_id, { ...fields, created })]);
  }

  put(body: unknown, type?: string, path = relationshipPath()): Promise<Answer> {
    return this.service.put(path, this.key, body, type);
  }

  /** Returns the result of a GET, or null if there are no terms. */
  async read(path = relationshipPath()): Promise<Record<string, unknown> | null> {
    const { results } = await this.service.envelope(path, this.key);
    return results[0] ?? null;
  }

  /** Reads rows directly from the database. */
  async rows(sql: string): Promise<RawRow[]> {
    const raw = await openRaw(this.service.database.url);
    try {
      return await raw.rows(sql);
    } finally {
      await raw.close();
    }
  }

  async run(sql: string): Promise<void> {
    const raw = await openRaw(this.service.database.url);
    try {
      await raw.run(sql);
    } finally {
      await raw.close();
    }
  }

  /** Returns everything that a write could change. */
  async written(): Promise<object> {
    return {
      affiliations: await this.rows('SELECT * FROM affiliations ORDER BY affiliate_id, product_id'),
      audit: await this.rows('SELECT * FROM audit_log ORDER BY id'),
    };
  }
}
