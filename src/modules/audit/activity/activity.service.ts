import { Injectable } from '@nestjs/common';
import type { SearchMeta } from '../../../api/envelope/envelope.js';
import { searchPage, type KeySearch } from '../../../ledger/reads/key-search.js';
import {
  noCursor,
  placeInQuery,
  queryCursorOf,
  type QueryIdentity,
} from '../../../ledger/reads/query-cursor.js';
import { activityPath } from '../../../platform/pages/paths.js';
import type { HistoryLine } from '../../../platform/pages/ui/history.view.js';
import { endOfDay } from '../../../platform/values/time.js';
import type { Reader } from '../../../platform/database/database.js';
import { AuditRepository } from '../audit.repository.js';
import { activityLine } from './activity-line.view.js';
import {
  activityOf,
  kindOf,
  NO_ACTIVITY_FILTER,
  type ActivityEntry,
  type ActivityFilter,
  type ActivityKey,
} from './activity.model.js';
import { ActivityRepository } from './activity.repository.js';

/** Requests one page of an account's activity. */
interface ActivityQuery {
  readonly account_id: number;
  readonly filter: ActivityFilter;
  readonly limit: number;
  /** Cursor of the page; null for the first one. */
  readonly after: string | null;
  /** False to leave `total_count` out of a page that is not the only one. */
  readonly isCounted: boolean;
}

/** The last entries of a thing, in words. */
export interface ActivityHistory {
  readonly lines: readonly HistoryLine[];
  /** Address of the page with all of them. */
  readonly all: string;
}

/** Has the API applications of an account. */
interface NamedApplications {
  applicationsOf(
    account_id: number,
  ): Promise<readonly { readonly id: number; readonly name: string }[]>;
}

/** Number of entries of a thing that its page shows. */
const HISTORY = 5;
/** Number of entries that a download reads at a time. */
const BATCH = 200;
const FIRST_DAY = '1000-01-01';
const LAST_DAY = '9999-12-31';
const DATE_TIME = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;

/** Reads the audit entries of an account as its user sees them, newest first. */
@Injectable()
export class ActivityService {
  constructor(
    private readonly repository: ActivityRepository,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * Returns one page.
   * @throws ApiError invalid_parameters if the cursor is not one of this query
   */
  async page(query: ActivityQuery): Promise<{ entries: ActivityEntry[]; meta: SearchMeta }> {
    const { account_id, filter, limit } = query;
    const identity = identityOf(query);
    const after = query.after === null ? null : keyAt(identity, query.after);
    const search = { ...this.searchOf(account_id, filter), isCounted: query.isCounted };
    const page = await searchPage(search, after, limit);
    const { keys, next, isStopped, total_count } = page;
    const meta = {
      total_count,
      searched_to: isStopped && next !== null ? next.created.slice(0, LAST_DAY.length) : null,
      next_cursor: next === null ? null : queryCursorOf(identity, [next.created, next.id]),
    };
    return { entries: await this.entriesOf(account_id, keys), meta };
  }

  /** Yields all entries that meet a filter. */
  async *all(account_id: number, filter: ActivityFilter): AsyncGenerator<ActivityEntry[]> {
    const search = this.searchOf(account_id, filter);
    for (let last: ActivityKey | null | undefined = null; last !== undefined;) {
      const keys: readonly ActivityKey[] = await search.next(last, BATCH);
      const found = keys.filter((key) => search.matches?.(key) ?? true);
      if (found.length > 0) yield await this.entriesOf(account_id, found);
      last = keys.length < BATCH ? undefined : keys.at(-1);
    }
  }

  /**
   * Returns the last entries on a thing of an account.
   * @param subject subject of the audit entries on it
   * @param applications has the names of the account's API applications
   */
  async historyOf(
    account_id: number,
    subject: string,
    applications: NamedApplications,
  ): Promise<ActivityHistory> {
    const filter = { ...NO_ACTIVITY_FILTER, subject };
    const keys = await this.searchOf(account_id, filter).next(null, HISTORY);
    const entries = await this.entriesOf(account_id, keys);
    const isByKeys = entries.some(({ application_id }) => application_id !== null);
    const named = isByKeys ? await applications.applicationsOf(account_id) : [];
    const names = new Map(named.map(({ id, name }) => [id, name]));
    return {
      lines: entries.map((entry) => activityLine(entry, names)),
      all: activityPath(subject),
    };
  }

  /**
   * Returns when an action of an account was last made on each of these subjects, in UTC. Subjects
   * without such an entry are left out.
   * @param reader reads one state of the ledger; by default the newest data is read
   */
  lastTimes(
    account_id: number,
    action: string,
    subjects: readonly string[],
    reader?: Reader,
  ): Promise<ReadonlyMap<string, string>> {
    return this.repository.lastTimes(account_id, action, subjects, reader);
  }

  private searchOf(
    account_id: number,
    { kinds, subject, start_date, end_date }: ActivityFilter,
  ): KeySearch<ActivityKey> {
    const scope = { account_id, subject, first_day: start_date ?? FIRST_DAY };
    const newest = { created: endOfDay(end_date ?? LAST_DAY), id: Number.MAX_SAFE_INTEGER };
    return {
      next: (after, take) => this.repository.keysBefore(scope, after ?? newest, take),
      matches: kinds === null ? null : ({ action }) => kinds.includes(kindOf(action)),
    };
  }

  private async entriesOf(
    account_id: number,
    keys: readonly ActivityKey[],
  ): Promise<ActivityEntry[]> {
    if (keys.length === 0) return [];
    const entries = await this.audit.entriesByIds(keys.map(({ id }) => id));
    const byId = new Map(entries.map((entry) => [entry.id, entry]));
    return keys.flatMap(({ id }) => {
      const entry = byId.get(id);
      return entry === undefined ? [] : activityOf(account_id, entry);
    });
  }
}

function identityOf({ account_id, filter }: ActivityQuery): QueryIdentity {
  return { vendor_id: account_id, operation: 'activity', parameters: filter };
}

/** @throws ApiError invalid_parameters if the text is not a cursor of this query */
function keyAt(identity: QueryIdentity, text: string): ActivityKey {
  const [created, id] = placeInQuery(identity, text);
  if (typeof created !== 'string' || !DATE_TIME.test(created)) throw noCursor();
  if (typeof id !== 'number') throw noCursor();
  return { created, id, action: '' };
}
