/** Of the name of a process that writes reads. */
export const WRITER_LENGTH = 16;
/** How long reads are kept. */
export const KEPT_DAYS = 90;

/** What showed personal data, with its words on pages. The names of the API are its operation ids. */
const OPERATIONS = {
  getTransaction: 'API 3.0, transaction',
  listTransactions: 'API 3.0, list',
  getTransactionDetail: 'API 2.1, details',
  getTransactionSummary: 'API 2.0, summary',
  listLatestTransactions: 'API 2.0, latest transactions',
  listLatestAffiliateTransactions: 'API 2.0, latest transactions of an affiliate',
  getRecurringPayment: 'API 2.0, recurring payment',
  listChanges: 'API, changes',
  exportNdjson: 'API, export as NDJSON',
  exportCsv: 'API, export as CSV',
  exportParquet: 'API, export as Parquet',
  'page.transaction': 'Page, transaction',
  'page.transactions': 'Page, list of transactions',
  'page.search': 'Page, search',
  'page.subscription': 'Page, subscription',
  'page.subscriptions': 'Page, list of subscriptions',
  'page.csv': 'Page, download as CSV',
  'page.ndjson': 'Page, download as NDJSON',
  'page.parquet': 'Page, download as Parquet',
  'page.person': 'Page, everything of a person',
  'command.export': 'Command, export',
  'command.people': 'Command, everything of a person',
} as const;
export type PersonalOperation = keyof typeof OPERATIONS;

export function isPersonalOperation(text: string): text is PersonalOperation {
  return Object.hasOwn(OPERATIONS, text);
}

/** @returns the name itself if an earlier version has written it */
export function operationText(operation: string): string {
  return isPersonalOperation(operation) ? OPERATIONS[operation] : operation;
}

/** Who read what of a vendor's buyers: ids and numbers, and nothing of the buyers. */
export interface PersonalRead {
  /** Whose buyers they are. */
  readonly vendor_id: number;
  /** Who read: the user of the key or session, or OPERATOR. */
  readonly user_id: number;
  /** The API application, or NO_APPLICATION. */
  readonly application_id: number;
  readonly operation: PersonalOperation;
  /** The transaction_id, or the key of the recurring payment; null for a list. */
  readonly record_key: string | null;
  /** The days that were asked for, of a list; null for any. */
  readonly first_day: string | null;
  readonly last_day: string | null;
  /** How many records were shown; null if nobody has counted them. */
  readonly records: number | null;
}

/** What was shown, without whose and to whom. */
export type ShownRecords = Pick<PersonalRead, 'record_key' | 'first_day' | 'last_day' | 'records'>;

/** One record of which the key is known. */
export function shownRecord(record_key: string): ShownRecords {
  return { record_key, first_day: null, last_day: null, records: 1 };
}

/** A list of which no days are known. */
export function shownList(records: number | null): ShownRecords {
  return { record_key: null, first_day: null, last_day: null, records };
}

/** As they are kept: those of one second, of one caller and operation, are one row. */
export interface KeptReads extends Omit<PersonalRead, 'operation' | 'record_key'> {
  readonly operation: string;
  /** The keys of records that were shown one by one, as `textOfKeys` writes them; null for a list. */
  readonly record_keys: string | null;
  /** In UTC. */
  readonly read_at: string;
  /** The process that wrote it, and its number there. */
  readonly writer: string;
  readonly number: number;
  readonly times: number;
}

const BESIDE_KEYS = '\n';

/** Keys as one text, in which each is found with what stands beside it: of one key, the part of the text. */
export function textOfKeys(keys: Iterable<string>): string {
  return [
    BESIDE_KEYS,
    ...Array.from(keys, (key) => key.replaceAll(BESIDE_KEYS, ' ') + BESIDE_KEYS),
  ].join('');
}

export function keysOf({ record_keys }: Pick<KeptReads, 'record_keys'>): string[] {
  return record_keys === null ? [] : record_keys.split(BESIDE_KEYS).slice(1, -1);
}

/** Where reads stand in the order of time. */
export type ReadPosition = Pick<KeptReads, 'read_at' | 'writer' | 'number'>;

/** A part of the reads, newest first. */
export interface ReadsPage {
  readonly reads: readonly KeptReads[];
  /** Where the next page begins; null on the last page. A page that has looked far enough ends early. */
  readonly next: ReadPosition | null;
}

/** Which reads of a vendor's buyers. */
export interface ReadsCriteria {
  readonly vendor_id: number;
  /** Days in UTC, both included; null for no bound. */
  readonly first_day: string | null;
  readonly last_day: string | null;
  /** Only reads of this record, and of lists that may have had it; null for all. */
  readonly record: RecordOfReads | null;
}

export interface RecordOfReads {
  readonly record_key: string;
  /** The days on which lists have it: of the sale, and of the refund. Empty if they are unknown. */
  readonly days: readonly string[];
}
