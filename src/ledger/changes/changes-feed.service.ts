import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { AnswerMemory, memoryOfRows } from '../../platform/limits/memory/answer-memory.js';
import { PieceTurns } from '../../platform/limits/memory/piece-turns.js';
import { ApiError } from '../../api/errors/api-error.js';
import { SharedRoom } from '../../platform/limits/memory/shared-room.js';
import { startOfDay, formatDateTime } from '../../platform/values/time.js';
import { PersonalTables } from '../../platform/database/extensions/personal-scope.js';
import { Database, type Reader } from '../../platform/database/database.js';
import {
  isRecorded,
  kindOfRemoved,
  positionName,
  REMOVED_KIND,
  removedKind,
  type FeedPosition,
} from './change.model.js';
import type { ChangeSource } from './change-source.model.js';
import { ChangeSources } from './change-sources.js';
import { ChangesRepository, type FeedState } from './changes.repository.js';
import { ChangeWaitsService } from './change-waits.service.js';
import { passing, type ChangeFilter } from './reasons/change-filter.js';
import { reasonsSince } from './reasons/change-reasons.js';

export const FEED_LIMIT = { min: 1, max: 1_000, default: 100 } as const;
/** An answer may wait for a change for this many seconds. */
export const FEED_WAIT = { min: 0, max: 20, default: 0 } as const;

/** A page ends early after about this many bytes of JSON. */
export const FEED_BYTES = 2 * 1_048_576;

/** Selects the changes of a vendor's ledger after a cursor. */
export interface FeedCriteria {
  readonly vendor_id: number;
  /** Sequence of the cursor; 0 is before all changes. */
  readonly after: number;
  /** Sequence after which reasons of changes are shown, up to `after`; `after` if absent. */
  readonly walk_from?: number;
  /** Selects changes further; all changes of the kinds if absent. */
  readonly filter?: ChangeFilter;
  readonly limit: number;
  /** A page ends early after about this many bytes of JSON, but has at least one change. */
  readonly max_bytes: number;
  /** Kinds of records to show. Records that left the ledger are always shown. */
  readonly kinds: readonly string[];
  /** True to leave personal data out. */
  readonly isMasked: boolean;
}

/** Defines the wait for a change if there is none. */
interface FeedWait {
  readonly ms: number;
  /** Aborts when the caller disconnects. */
  readonly isGone: AbortSignal;
  readonly onWait: () => void;
}

/** Holds a record in its current state, at the position of its latest change. */
export interface FeedItem {
  readonly sequence: number;
  /** The kind of the record, or `removed`. */
  readonly kind: string;
  /** Time of the change in UTC (src/platform/values/time.ts). */
  readonly changed_at: string;
  /** Reasons of the change, at least one, if its kind has reasons. */
  readonly reasons?: readonly string[];
  /** The record in the form of the API, as a JSON object. */
  readonly json: string;
}

export interface FeedPage {
  /** Items in the order of their sequences. */
  readonly items: readonly FeedItem[];
  /** Sequence up to which this page and those before it contain all changes. */
  readonly cursor: number;
  /** Sequence after which the next page shows reasons of changes. */
  readonly walk_from: number;
  /** True if there are more changes after the cursor. */
  readonly has_more: boolean;
}

/** Returns a change as JSON, with its object in a field named after its kind. */
export function feedItemJson({ sequence, kind, changed_at, reasons, json }: FeedItem): string {
  const head = JSON.stringify({ sequence, kind, changed_at: formatDateTime(changed_at), reasons });
  return `${head.slice(0, -1)},"${kind}":${json}}`;
}

/** At most this many callers are answered at a time when many waits end together. */
const MAX_AFTER_WAIT = 8;
/**
 * At most this many pages are read at a time, one per account, because each uses a database
 * connection.
 */
const MAX_PAGES = 3;
/** A page may answer other callers that waited for it within this time. */
const SHARED_MS = 100;
/** Pages with more characters of JSON are not shared. */
const MAX_SHARED = 65_536;
/** A page takes this much memory: the rows that are read, and the JSON that is built from them. */
const PAGE_BYTES = 2 * FEED_BYTES;

/** A filter looks at this many changes for one page. */
const FILTERED = 1_000;
/** A change whose kind has no long texts has at most about this size as JSON. */
const SMALL_BYTES = 1_024;
/** Any change has at most this size as JSON. */
const LARGEST_BYTES = 262_144;
/** A page is read in pieces of about this many bytes. */
const PIECE_BYTES = 524_288;

/**
 * Reads the feed of changes, which has each record of a ledger once, at its latest change. See
 * docs/changes.md.
 */
@Injectable()
export class ChangesFeedService {
  private readonly afterWait = SharedRoom.refusingNobody(MAX_AFTER_WAIT);
  private readonly pages = SharedRoom.refusingNobody(MAX_PAGES);
  /** Pages that were just read for callers that waited. */
  private readonly shared = new Map<string, Promise<FeedPage>>();

  constructor(
    private readonly database: Database,
    private readonly repository: ChangesRepository,
    private readonly sources: ChangeSources,
    private readonly waits: ChangeWaitsService,
    private readonly memory: AnswerMemory,
    private readonly turns: PieceTurns,
    private readonly personalTables: PersonalTables,
  ) {}

  /** Kinds of the records in the feed: those of the service, and then those of extensions. */
  get kinds(): readonly string[] {
    return this.sources.kinds;
  }

  /**
   * Returns the next page. If it is empty, waits for the first page with changes until the time is
   * over.
   * @throws ApiError `invalid_parameters` if `after` is beyond the end of the ledger
   */
  async pageAfter(criteria: FeedCriteria, { ms, isGone, onWait }: FeedWait): Promise<FeedPage> {
    const end = performance.now() + ms;
    let page = await this.pageInMemory(criteria);
    while (page.items.length === 0 && !isGone.aborted) {
      const leftMs = end - performance.now();
      if (leftMs <= 0) break;
      onWait();
      const next = { ...criteria, after: page.cursor, walk_from: page.walk_from };
      const mayWaitAgain = await this.waits.forChange(next, leftMs, isGone);
      page = await this.afterWait.during(criteria.vendor_id, 1, async () => {
        const found = await this.sharedPage(next);
        // Other requests are handled before this caller is answered.
        await yieldToOthers();
        return found;
      });
      if (!mayWaitAgain) break;
    }
    return page;
  }

  private pageInMemory(criteria: FeedCriteria): Promise<FeedPage> {
    const { vendor_id, limit } = criteria;
    const bytes = Math.min(PAGE_BYTES, memoryOfRows(limit));
    return this.pages.during(vendor_id, 1, () =>
      this.memory.room.during(vendor_id, bytes, () => this.pageNow(criteria)),
    );
  }

  /** Reads one page for all callers that waited for it: their requests began before it was read. */
  private sharedPage(criteria: FeedCriteria): Promise<FeedPage> {
    const key = JSON.stringify(criteria);
    const known = this.shared.get(key);
    if (known !== undefined) return known;
    const page = this.pageInMemory(criteria);
    this.shared.set(key, page);
    const forget = () => this.shared.delete(key);
    page.then(({ items }) => {
      const isSmall = items.reduce((sum, { json }) => sum + json.length, 0) <= MAX_SHARED;
      if (isSmall) setTimeout(forget, SHARED_MS).unref();
      else forget();
    }, forget);
    return page;
  }

  /**
   * Reads one state of a vendor's ledger that contains everything committed before the call.
   * @param work gets the cursor of that state; it may be repeated
   */
  async readCurrent<Result>(
    vendor_id: number,
    work: (snapshot: Reader, cursor: number) => Promise<Result>,
  ): Promise<Result> {
    const least = await this.cursorNow(vendor_id);
    return this.readSince(vendor_id, least, (snapshot, { last_sequence }) =>
      work(snapshot, last_sequence),
    );
  }

  /**
   * Returns the next page. This page and those after it contain everything committed before the
   * call.
   * @throws ApiError `invalid_parameters` if `after` is beyond the end of the ledger
   */
  async pageNow(criteria: FeedCriteria): Promise<FeedPage> {
    const { vendor_id, after } = criteria;
    const least = await this.cursorNow(vendor_id);
    if (after > least) {
      throw new ApiError('invalid_parameters', 'after must be a cursor of this ledger.');
    }
    if (after === least) return { items: [], cursor: after, walk_from: after, has_more: false };
    return this.readSince(vendor_id, least, (snapshot, state) =>
      this.readPage(snapshot, criteria, state),
    );
  }

  /** Returns the cursor after all changes until now. */
  async cursorNow(vendor_id: number, reader: Reader = this.database): Promise<number> {
    return (await this.repository.stateOf(vendor_id, reader)).last_sequence;
  }

  /**
   * Returns the cursor before all changes since the start of a day in UTC. Searches by bisection,
   * because changes are numbered in the order of their times.
   */
  async cursorBefore(vendor_id: number, day: string): Promise<number> {
    const from = startOfDay(day);
    let least = 0;
    let most = await this.cursorNow(vendor_id);
    while (least < most) {
      const middle = Math.floor((least + most) / 2);
      const next = await this.firstAfter(vendor_id, middle);
      if (next === null || next.changed_at >= from) most = middle;
      else least = next.sequence;
    }
    return least;
  }

  private async firstAfter(vendor_id: number, after: number) {
    const criteria = { vendor_id, limit: 1, max_bytes: 0, kinds: this.kinds, isMasked: false };
    let page = await this.pageNow({ ...criteria, after });
    // A page may be empty although more changes follow.
    while (page.items.length === 0 && page.has_more) {
      page = await this.pageNow({ ...criteria, after: page.cursor });
    }
    return page.items[0] ?? null;
  }

  private readSince<Result>(
    vendor_id: number,
    least: number,
    work: (snapshot: Reader, state: FeedState) => Promise<Result>,
  ): Promise<Result> {
    return this.database.readSnapshot(
      async (replica) => (await this.cursorNow(vendor_id, replica)) >= least,
      async (snapshot) => work(snapshot, await this.repository.stateOf(vendor_id, snapshot)),
    );
  }

  /** @param state state of the feed in the snapshot */
  private async readPage(
    snapshot: Reader,
    criteria: FeedCriteria,
    state: FeedState,
  ): Promise<FeedPage> {
    const { limit, filter, after, walk_from = after } = criteria;
    const size = filter === undefined ? limit : FILTERED;
    const found = await this.positions(snapshot, criteria, state, size + 1);
    const read = found.slice(0, size);
    const wanted = await this.passing(snapshot, criteria, read);
    const { pieces, count } = await this.fitting(snapshot, criteria, wanted.slice(0, limit));
    const items: FeedItem[] = [];
    for (const piece of pieces) {
      await this.turns.next(criteria.vendor_id);
      for (const item of await this.contents(snapshot, criteria, piece)) items.push(item);
    }
    const isFull = count < wanted.length;
    const last = isFull ? wanted[count - 1] : read.at(-1);
    const has_more = isFull || found.length > read.length;
    const cursor = has_more ? (last?.sequence ?? after) : state.last_sequence;
    return { items, cursor, walk_from: has_more ? walk_from : cursor, has_more };
  }

  private async passing(
    reader: Reader,
    { vendor_id, kinds, filter, after, walk_from = after }: FeedCriteria,
    positions: readonly FeedPosition[],
  ): Promise<readonly FeedPosition[]> {
    if (filter === undefined) return positions;
    return passing(positions, filter, walk_from, (unknown) =>
      this.ofEachKind(kinds, unknown, (source, record_keys) =>
        source.productsOf?.({ reader, vendor_id, record_keys }),
      ),
    );
  }

  private async positions(
    reader: Reader,
    { vendor_id, after, kinds }: FeedCriteria,
    { has_removed }: FeedState,
    limit: number,
  ): Promise<FeedPosition[]> {
    const range = { reader, vendor_id, after, limit };
    // Most ledgers have never lost a record. Records that left a ledger pass every filter.
    const removed = has_removed === 1 ? this.kinds.map(removedKind) : [];
    const stored = [...kinds.filter(isRecorded), ...removed];
    const found: FeedPosition[] = await this.repository.recordedAfter(range, stored);
    for (const kind of kinds) {
      if (isRecorded(kind)) continue;
      const own = await this.sources.of(kind).positionsAfter?.(range);
      for (const position of own ?? []) found.push({ ...position, kind });
    }
    return found.sort((left, right) => left.sequence - right.sequence).slice(0, limit);
  }

  /**
   * Returns the first positions, as many as fit on a page, in the pieces in which they are read.
   */
  private async fitting(
    reader: Reader,
    criteria: FeedCriteria,
    positions: readonly FeedPosition[],
  ) {
    if (positions.length * LARGEST_BYTES <= criteria.max_bytes) {
      return { pieces: [positions], count: positions.length };
    }
    const { vendor_id, kinds } = criteria;
    const sizes = await this.ofEachKind(kinds, positions, (source, record_keys) =>
      source.sizesOf?.({ reader, vendor_id, record_keys }),
    );
    const pieces: FeedPosition[][] = [];
    let [bytes, ofPiece, count] = [0, 0, 0];
    for (const position of positions) {
      const size = sizes.get(positionName(position)) ?? SMALL_BYTES;
      bytes += size;
      if (bytes > criteria.max_bytes && count > 0) break;
      const piece = ofPiece + size > PIECE_BYTES ? undefined : pieces.at(-1);
      ofPiece = piece === undefined ? size : ofPiece + size;
      if (piece === undefined) pieces.push([position]);
      else piece.push(position);
      count += 1;
    }
    return { pieces, count };
  }

  private async contents(
    reader: Reader,
    { vendor_id, kinds, isMasked, after, walk_from = after }: FeedCriteria,
    positions: readonly FeedPosition[],
  ): Promise<FeedItem[]> {
    const contents = await this.ofEachKind(kinds, positions, (source, record_keys) => {
      const read = () => source.contentsOf({ reader, vendor_id, record_keys, isMasked });
      return isMasked ? this.personalTables.masked(read) : read();
    });
    return positions.flatMap((position) => itemAt(position, contents, walk_from));
  }

  /** Reads from the source of each kind what it has at these positions. */
  private async ofEachKind<Value>(
    kinds: readonly string[],
    positions: readonly FeedPosition[],
    read: (
      source: ChangeSource,
      record_keys: readonly string[],
    ) => Promise<ReadonlyMap<string, Value>> | undefined,
  ): Promise<ReadonlyMap<string, Value>> {
    const found = new Map<string, Value>();
    for (const kind of kinds) {
      const record_keys = positions
        .filter((position) => position.kind === kind)
        .map(({ record_key }) => record_key);
      if (record_keys.length === 0) continue;
      const own = await read(this.sources.of(kind), record_keys);
      for (const [record_key, value] of own ?? [])
        found.set(positionName({ kind, record_key }), value);
    }
    return found;
  }
}

/**
 * Returns the item at a position if it is still shown.
 * @param contents JSON of the records by kind and key
 * @param walk_from sequence after which reasons are shown
 */
function itemAt(
  { kind, record_key, sequence, changed_at, reasons: noted }: FeedPosition,
  contents: ReadonlyMap<string, string>,
  walk_from: number,
): FeedItem[] {
  const removed_kind = kindOfRemoved(kind);
  if (removed_kind !== undefined) {
    const json = JSON.stringify({ removed_kind, key: record_key });
    return [{ kind: REMOVED_KIND, sequence, changed_at, json }];
  }
  const json = contents.get(positionName({ kind, record_key }));
  if (json === undefined) return [];
  const item = { kind, sequence, changed_at, json };
  return [noted === undefined ? item : { ...item, reasons: reasonsSince(noted, walk_from) }];
}
