import {
  isLastRecord,
  type Merged,
  mergedWith,
  type RecordChange,
  type Stored,
} from '../../../ledger/records/overruled-fields.js';
import type { RecordFields } from '../../../ledger/records/record-fields.js';
import type { RecordType } from '../../../ledger/records/record-type.js';
import {
  isOlder,
  readRecordVersion,
  type Versioned,
} from '../../../ledger/records/record-version.js';
import { isSame } from '../../../ledger/records/same-content.js';
import { inParts } from '../../../platform/values/in-parts.js';
import { shownValue } from '../../../platform/values/shown-text.js';
import {
  type Verdict,
  type AuditedChange,
  type BatchRun,
  BEFORE_THE_BATCH,
  type References,
  type SinceLine,
} from './batch-run.js';
import type { DryRunRecordsRepository } from './dry-run-records.repository.js';

/** Defines how the records of one type are applied. A new object is created for each batch. */
export interface RecordKind<Content extends object> {
  readonly type: RecordType;
  read(fields: RecordFields): Content;
  /**
   * Makes a record storable if only a part of it can be stored.
   * @param before the state before this record
   */
  fitted?(content: Content, before: Content | undefined): Fitted<Content>;
  /** Returns warnings about an accepted record, as `field: problem`. */
  warningsOf?(content: Content, before: Content | undefined): string[];
  identity(content: Content): string;
  /** Adds what a record refers to. */
  addReferences?(content: Content, references: References): void;
  /** Returns the records of the batch that are stored, locked if others may change them. */
  stored(run: BatchRun, contents: readonly Content[]): Promise<readonly Stored<Content>[]>;
  /**
   * Locks the vendors of records with personal data, and decides which personal data may be kept.
   */
  keptOf?(run: BatchRun, contents: readonly Content[]): Promise<Kept<Content>>;
  /** Returns the reason, as `field: problem`, why the record is rejected at that line, or null. */
  problem(
    content: Content,
    line: number,
    run: BatchRun,
    before: Content | undefined,
  ): string | null;
  /** Decides whether a source that may change only this vendor's records may apply the record. */
  forVendor(
    content: Content,
    at: LineOfVendor,
    run: BatchRun,
    before: Content | undefined,
  ): Permission<Content>;
  /** Adds the record to the run as existing since that line, for records that refer to it. */
  addToRun?(content: Content, since: SinceLine, run: BatchRun): void;
  /** Returns the identities of this type that lines of a batch refer to. */
  referredTo?(references: References): Iterable<string>;
  /**
   * Returns the vendor of an accepted record. Only types whose records may not move to another
   * vendor define it.
   */
  vendorOf?(content: Content, run: BatchRun): number;
  /** Sets the vendor of a record that an earlier batch of a dry run would have stored. */
  setDryRunVendor?(identity: string, vendor_id: number): void;
  /** Returns the audit entry for a change of a stored record, or null if it needs none. */
  audited?(before: Content, after: Content, run: BatchRun): AuditedChange | null;
  /** Handles an accepted record that is not stale. */
  accepted?(content: Content, run: BatchRun): void;
  /** Runs after all records of this type are accepted or rejected, and before they are saved. */
  prepare?(run: BatchRun): Promise<void>;
  save(run: BatchRun, changes: readonly RecordChange<Content>[]): Promise<void>;
  /** Raises the versions of stored records and changes nothing else. */
  raiseVersions(run: BatchRun, records: readonly Versioned<Content>[]): Promise<void>;
  /** Runs after the records of this type, and of the types before it, are saved. */
  conclude?(run: BatchRun): Promise<void>;
}

/** Holds a storable record and the changes that made it storable, as `field: change`. */
interface Fitted<Content extends object> {
  readonly record: Content;
  readonly warnings: readonly string[];
}

/**
 * Returns the record without the data that may not be kept.
 * @param before the state before this record
 */
export type Kept<Content extends object> = (
  content: Content,
  before: Content | undefined,
) => Content;

/** Identifies a line of a source that may change only this vendor's records. */
export interface LineOfVendor {
  readonly line: number;
  readonly vendor_id: number;
  readonly record_version: number | null;
}

/**
 * Holds the content to apply, the reason to reject the record, or the reason to keep the stored
 * record as it is.
 */
export type Permission<Content extends object> =
  | { readonly apply: Content }
  | { readonly reject: string }
  | { readonly keep: string; readonly verdict: 'unchanged' | 'stale' };

/** Reads and applies the records of one type in one batch, whatever the type. */
export interface RecordBatch {
  /** Adds the record to the batch unless its fields have faults, and adds what it refers to. */
  read(line: number, fields: RecordFields, references: References): void;
  /** Checks references, writes the changes, and sets the result of each line that was read. */
  apply(run: BatchRun): Promise<void>;
}

interface ReadLine<Content extends object> extends Versioned<Content> {
  /** Number of the line, from 1. */
  readonly line: number;
}

/**
 * Applies the lines of one record type in order, each to the state that the lines before it leave.
 */
export class TypedBatch<Content extends object> implements RecordBatch {
  private readonly lines: ReadLine<Content>[] = [];

  constructor(private readonly kind: RecordKind<Content>) {}

  read(line: number, fields: RecordFields, references: References): void {
    const content = this.kind.read(fields);
    const record_version = readRecordVersion(fields);
    if (!fields.faults.isEmpty) return;
    this.kind.addReferences?.(content, references);
    this.lines.push({ line, content, record_version });
  }

  async apply(run: BatchRun): Promise<void> {
    const { kind } = this;
    const contents = this.lines.map(({ content }) => content);
    const stored = await kind.stored(run, contents);
    const overlay = new Overlay(
      new Map([
        ...stored.map((record) => [kind.identity(record.content), record] as const),
        ...(await this.earlierOfDryRun(run)),
      ]),
      run.outranksApi,
    );
    const kept = await this.keptOf(run, contents);
    await inParts(this.lines, (part) => {
      for (const line of part) this.applyLine(line, overlay, run, kept);
    });
    const { changes, raised } = overlay.toWrite();
    if (run.dryRun === null) {
      await kind.prepare?.(run);
      if (changes.length > 0) await kind.save(run, changes);
      if (raised.length > 0) await kind.raiseVersions(run, raised);
    } else await this.keepForDryRun([...changes, ...raised], run, run.dryRun);
    await kind.conclude?.(run);
  }

  private async keptOf(run: BatchRun, contents: readonly Content[]): Promise<Kept<Content>> {
    const { kind } = this;
    if (kind.keptOf === undefined || contents.length === 0) return (content) => content;
    return kind.keptOf(run, contents);
  }

  /**
   * Returns the records that earlier batches of a dry run would have stored; they count as stored.
   */
  private async earlierOfDryRun(run: BatchRun) {
    if (run.dryRun === null) return [];
    const { kind } = this;
    const own = this.lines.map(({ content }) => kind.identity(content));
    const identities = new Set([...own, ...(kind.referredTo?.(run.references) ?? [])]);
    const found = await run.dryRun.of<Content>(kind.type, identities);
    for (const [identity, { content, vendor_id }] of found) {
      kind.addToRun?.(content, BEFORE_THE_BATCH, run);
      if (vendor_id !== null) kind.setDryRunVendor?.(identity, vendor_id);
    }
    return found;
  }

  private async keepForDryRun(
    changes: readonly RecordChange<Content>[],
    run: BatchRun,
    dryRun: DryRunRecordsRepository,
  ): Promise<void> {
    const { kind } = this;
    const records = changes.map(({ content, overruled, record_version }) => {
      const vendor_id = kind.vendorOf?.(content, run) ?? null;
      const record = { content, overruled, record_version, vendor_id };
      return [kind.identity(content), record] as const;
    });
    await dryRun.put(kind.type, new Map(records));
    await dryRun.addBelongings(belongingsIn(changes));
  }

  private applyLine(
    { line, ...record }: ReadLine<Content>,
    overlay: Overlay<Content>,
    run: BatchRun,
    kept: Kept<Content>,
  ) {
    const { kind } = this;
    const identity = kind.identity(record.content);
    const before = overlay.get(identity);
    const { content: received } = record;
    const fitted = kind.fitted?.(received, before) ?? { record: received, warnings: [] };
    const content = kept(fitted.record, before);
    const problem = kind.problem(content, line, run, before);
    if (problem !== null) {
      run.reject(line, problem);
      return;
    }
    const permission = this.permission({ line, ...record, content }, run, before);
    if ('reject' in permission) {
      run.reject(line, permission.reject);
      return;
    }
    if ('keep' in permission) {
      run.accept(line, permission.verdict, [permission.keep]);
      return;
    }
    const applied = overlay.put(identity, { ...record, content: permission.apply });
    if (applied.verdict === 'rejected') {
      run.reject(line, applied.problem);
      return;
    }
    if (before === undefined) kind.addToRun?.(content, line, run);
    const { verdict, after } = applied;
    if (verdict !== 'stale') kind.accepted?.(after, run);
    const odd = kind.warningsOf?.(after, before) ?? [];
    const warnings = [...odd, ...fitted.warnings, ...keptWarnings(applied.kept)];
    run.accept(line, verdict, verdict === 'stale' ? [] : warnings);
    if (before === undefined || verdict !== 'updated') return;
    const audited = kind.audited?.(before, after, run) ?? null;
    if (audited !== null) run.audited.push(audited);
  }

  private permission(
    { line, content, record_version }: ReadLine<Content>,
    run: BatchRun,
    before: Content | undefined,
  ): Permission<Content> {
    const vendor_id = run.onlyVendor;
    if (vendor_id === null) return { apply: content };
    return this.kind.forVendor(content, { line, vendor_id, record_version }, run, before);
  }
}

/** Counts the records that are added to each product, minus those that it loses. */
function belongingsIn(changes: readonly RecordChange<object>[]): Map<number, number> {
  const belongings = new Map<number, number>();
  const add = (content: object | undefined, sign: 1 | -1) => {
    if (content === undefined || !('product_id' in content)) return;
    const id = Number(content.product_id);
    belongings.set(id, (belongings.get(id) ?? 0) + sign);
  };
  for (const { before, content } of changes) {
    add(before, -1);
    add(content, 1);
  }
  return belongings;
}

/** Returns warnings such as `status: stays "DENIED" as the interface left it, not "APPROVED"`. */
function keptWarnings(kept: Merged<object>['kept']): string[] {
  return kept.map(({ field, stays, not }) => {
    const [here, there] = [shownValue(stays), shownValue(not)];
    return `${field}: stays ${here} as the interface left it, not ${there}`;
  });
}

/** Holds the result of a line: the state after it, or the reason to reject it. */
type AppliedLine<Content extends object> =
  | {
      readonly verdict: Exclude<Verdict, 'rejected'>;
      readonly after: Content;
      readonly kept: Merged<Content>['kept'];
    }
  | { readonly verdict: 'rejected'; readonly problem: string };

/**
 * Keeps the records of a batch on top of the stored ones. Each line is compared with the state
 * before it; only the last state of each identity is written.
 */
export class Overlay<Content extends object> {
  private readonly changed = new Map<string, Stored<Content>>();

  /** @param outranksApi true if the records overwrite changes made through the API */
  constructor(
    private readonly stored: ReadonlyMap<string, Stored<Content>>,
    private readonly outranksApi: boolean,
  ) {}

  get(identity: string): Content | undefined {
    return this.at(identity)?.content;
  }

  put(identity: string, { content, record_version }: Versioned<Content>): AppliedLine<Content> {
    const before = this.at(identity);
    if (before === undefined) {
      this.changed.set(identity, { content, overruled: null, record_version });
      return { verdict: 'inserted', after: content, kept: [] };
    }
    if (isOlder(record_version, before.record_version)) {
      return { verdict: 'stale', after: before.content, kept: [] };
    }
    const isKnown = record_version !== null && record_version === before.record_version;
    if (isKnown && !isLastRecord(before, content)) {
      return { verdict: 'rejected', problem: otherContent(record_version) };
    }
    const ranked = this.outranksApi ? { content: before.content, overruled: null } : before;
    const { content: after, overruled, kept } = mergedWith(ranked, content);
    const changed = { content: after, overruled, record_version };
    if (!isSame(before, changed)) this.changed.set(identity, changed);
    return { verdict: isSame(before.content, after) ? 'unchanged' : 'updated', after, kept };
  }

  /** Returns the changes. Of the records in `raised`, only the version rises. */
  toWrite() {
    const changes: RecordChange<Content>[] = [];
    const raised: RecordChange<Content>[] = [];
    for (const [identity, changed] of this.changed) {
      const before = this.stored.get(identity);
      if (isSame(before, changed)) continue;
      const isRaised = isSame(before, { ...changed, record_version: before?.record_version });
      (isRaised ? raised : changes).push({ before: before?.content, ...changed });
    }
    return { changes, raised };
  }

  private at(identity: string): Stored<Content> | undefined {
    return this.changed.get(identity) ?? this.stored.get(identity);
  }
}

function otherContent(record_version: number): string {
  return `record_version: ${record_version} is stored with other content; a change needs a higher version`;
}
