import { SetMetadata } from '@nestjs/common';
import type { Answer } from '../envelope/envelope.js';

/**
 * These operations show personal data. The values are their names on the account pages. The keys of
 * API operations are their operation ids.
 */
export const PERSONAL_OPERATIONS = {
  getTransaction: 'API 3.0, transaction',
  listTransactions: 'API 3.0, list',
  getTransactionDetail: 'API 2.1, details',
  getTransactionSummary: 'API 2.0, summary',
  listLatestTransactions: 'API 2.0, latest transactions',
  listLatestAffiliateTransactions: 'API 2.0, latest transactions of an affiliate',
  getRecurringPayment: 'API 2.0, recurring payment',
  listChanges: 'API, changes',
  queryTransactions: 'API, query of transactions',
  queryRecurringPayments: 'API, query of recurring payments',
  queryCustomers: 'API, query of customers',
  exportNdjson: 'API, export as NDJSON',
  exportCsv: 'API, export as CSV',
  exportParquet: 'API, export as Parquet',
  'page.transaction': 'Page, transaction',
  'page.transactions': 'Page, list of transactions',
  'page.search': 'Page, search',
  'page.customer': 'Page, customer',
  'page.subscription': 'Page, subscription',
  'page.subscriptions': 'Page, list of subscriptions',
  'page.delivery': 'Page, webhook delivery',
  'page.csv': 'Page, download as CSV',
  'page.ndjson': 'Page, download as NDJSON',
  'page.parquet': 'Page, download as Parquet',
  'page.person': 'Page, everything of a person',
  'command.export': 'Command, export',
  'command.people': 'Command, everything of a person',
} as const;
/** Operation or page of an extension, such as `notes.getNote`. */
type ExtensionOperation = `${string}.${string}`;
export type PersonalOperation = keyof typeof PERSONAL_OPERATIONS | ExtensionOperation;

/**
 * Describes records that an answer shows. Without `vendor_id`, their customers are those of the
 * reader.
 */
export interface ShownRecords {
  readonly vendor_id?: number;
  /** The transaction_id or the key of the subscription. Null for a list. */
  readonly record_key?: string | null;
  /** First and last requested day of a list. Null for no bound. */
  readonly first_day?: string | null;
  readonly last_day?: string | null;
  /** Number of records shown, or null if it was not counted. */
  readonly records?: number | null;
}

/** The log fills in null for each fact about the records that is absent. */
export interface NewRead extends ShownRecords {
  readonly vendor_id: number;
  readonly user_id: number;
  readonly application_id: number;
  readonly operation: PersonalOperation;
}

/** Records who reads personal data. A feature provides it. */
export abstract class PersonalReads {
  /** False if reads are not recorded. */
  abstract readonly isOn: boolean;

  abstract add(read: NewRead): void;
}

export const SHOWS_PERSONAL_DATA = 'shows-personal-data';

/** Names the parameters that say which records an operation shows. */
interface ShownBy {
  /** Path parameter with the key of the one record. Absent for a list. */
  readonly record?: string;
  /** True for a list from `start_date` to `end_date`. */
  readonly days?: true;
}

/** This metadata describes the personal data that an operation shows. */
export interface ShownPersonalData extends ShownBy {
  readonly operation: PersonalOperation;
}

/**
 * Marks an operation of the API that shows personal data. PersonalReadsInterceptor records each of
 * its answers as a read, with the number of results.
 */
export function ShowsPersonalData(operation: PersonalOperation, by: ShownBy = {}): MethodDecorator {
  return SetMetadata(SHOWS_PERSONAL_DATA, { operation, ...by } satisfies ShownPersonalData);
}

/** An answer adds its reads if they differ from one read of all its results. */
export interface AnswerWithReads extends Answer {
  readonly reads: readonly ShownRecords[];
}
