import type { RecordFields } from './record-fields.js';
import { shownValue } from '../common/shown-text.js';
import { mergedWith, type Merged, type Overruled, type Stored } from './overruled.js';
import { isSame } from './same-content.js';
import {
  BEFORE_THE_BATCH,
  type AuditedChange,
  type BatchRun,
  type LedgerLine,
  type RecordBatch,
  type RecordType,
  type DryRunRecords,
  type SinceLine,
  type Verdict,
  type References,
} from './ledger.model.js';

/** What a module says of one of its record types, so that a batch of them can be applied. */
export interface RecordKind<Content extends object> {
  readonly type: RecordType;
  /** Reads a record's fields and notes in `wanted` what it refers to. */
  read(fields: RecordFields, references: References): Content;
  identity(content: Content): string;
  /** The stored records among these, in the same form. Those that others may change are locked. */
  stored(run: BatchRun, contents: readonly Content[]): Promise<readonly Content[]>;
  /** What the interface has changed of a record that `stored` found, where it can change such. */
  overruled?(identity: string): Overruled;
  /** Why the record can't be taken at that line, as `field: problem`, or null. */
  refusal(
    content: Content,
    line: number,
    run: BatchRun,
    before: Content | undefined,
  ): string | null;
  /** Notes that something exists since a line, for the records that refer to it. */
  noteExistence?(content: Content, since: SinceLine, run: BatchRun): void;
  /** The identities of this type that lines of a batch refer to. */
  referredTo?(references: References): Iterable<string>;
  /** Whose a record is that can be stored, where it stays its vendor's. */
  vendorOf?(content: Content, run: BatchRun): number;
  /** Notes whose a record is that a rehearsal would have stored. */
  noteVendor?(identity: string, vendor_id: number): void;
  /** What the audit log tells of a change of a stored record, or null where it tells nothing. */
  audited?(before: Content, after: Content): AuditedChange | null;
  save(run: BatchRun, changes: readonly Change<Content>[]): Promise<void>;
}

export interface Change<Content> {
  /** What is stored, if anything. */
  readonly before: Content | undefined;
  readonly after: Content;
  /** What the interface has changed of it, which the record left alone. */
  readonly overruled: Overruled;
}

/** The lines of one record type, played in order over what is stored. */
export class TypedBatch<Content extends object> implements RecordBatch {
  private readonly lines: LedgerLine<Content>[] = [];

  constructor(private readonly kind: RecordKind<Content>) {}

  read(line: number, fields: RecordFields, references: References): void {
    const content = this.kind.read(fields, references);
    if (fields.faults.isEmpty) this.lines.push({ line, content });
  }

  async apply(run: BatchRun): Promise<void> {
    const { kind } = this;
    const contents = this.lines.map(({ content }) => content);
    const stored = (await kind.stored(run, contents)).map((content) => {
      const identity = kind.identity(content);
      return [identity, { content, overruled: kind.overruled?.(identity) ?? null }] as const;
    });
    const { dryRun } = run;
    const recalled = dryRun === null ? [] : await this.recalled(run, dryRun);
    const overlay = new Overlay(new Map([...stored, ...recalled]));
    for (const line of this.lines) this.play(line, overlay, run);
    const changes = [...overlay.toWrite()];
    if (changes.length === 0) return;
    if (dryRun === null) await kind.save(run, changes);
    else await this.keep(changes, run, dryRun);
  }

  /** What earlier batches of the rehearsal would have stored stands as if it were. */
  private async recalled(run: BatchRun, dryRun: DryRunRecords) {
    const { kind } = this;
    const own = this.lines.map(({ content }) => kind.identity(content));
    const identities = new Set([...own, ...(kind.referredTo?.(run.references) ?? [])]);
    const found = await dryRun.of<Content>(kind.type, identities);
    for (const [identity, { content, vendor_id }] of found) {
      kind.noteExistence?.(content, BEFORE_THE_BATCH, run);
      if (vendor_id !== null) kind.noteVendor?.(identity, vendor_id);
    }
    return found;
  }

  private async keep(
    changes: readonly Change<Content>[],
    run: BatchRun,
    dryRun: DryRunRecords,
  ): Promise<void> {
    const { kind } = this;
    const records = changes.map(({ after, overruled }) => {
      const vendor_id = kind.vendorOf?.(after, run) ?? null;
      return [kind.identity(after), { content: after, overruled, vendor_id }] as const;
    });
    await dryRun.put(kind.type, new Map(records));
  }

  private play({ line, content }: LedgerLine<Content>, overlay: Overlay<Content>, run: BatchRun) {
    const { kind } = this;
    const identity = kind.identity(content);
    const before = overlay.get(identity);
    const problem = kind.refusal(content, line, run, before);
    if (problem !== null) {
      run.reject(line, problem);
      return;
    }
    if (before === undefined) kind.noteExistence?.(content, line, run);
    const { verdict, after, kept } = overlay.put(identity, content);
    run.accept(line, verdict, kept.length > 0 ? keptWarning(kept) : undefined);
    if (before === undefined || verdict !== 'updated') return;
    const audited = kind.audited?.(before, after) ?? null;
    if (audited !== null) run.audited.push(audited);
  }
}

/** What a line did to the state before it. */
interface Played<Content extends object> {
  readonly verdict: Exclude<Verdict, 'rejected'>;
  readonly after: Content;
  readonly kept: Merged<Content>['kept'];
}

/** As `status: stays "DENIED" as the interface left it, not "APPROVED"`. */
function keptWarning(kept: Merged<object>['kept']): string {
  return kept
    .map(({ field, stays, not }) => {
      const [here, there] = [shownValue(stays), shownValue(not)];
      return `${field}: stays ${here} as the interface left it, not ${there}`;
    })
    .join('; ');
}

/**
 * Each line learns what it did to the state before it; only the last state of each identity is
 * written.
 */
class Overlay<Content extends object> {
  private readonly changed = new Map<string, Stored<Content>>();

  constructor(private readonly stored: ReadonlyMap<string, Stored<Content>>) {}

  get(identity: string): Content | undefined {
    return this.at(identity)?.content;
  }

  put(identity: string, record: Content): Played<Content> {
    const before = this.at(identity);
    if (before === undefined) {
      this.changed.set(identity, { content: record, overruled: null });
      return { verdict: 'inserted', after: record, kept: [] };
    }
    const { content: after, overruled, kept } = mergedWith(before, record);
    const verdict = isSame(before.content, after) ? 'unchanged' : 'updated';
    if (verdict === 'updated' || !isSame(before.overruled, overruled)) {
      this.changed.set(identity, { content: after, overruled });
    }
    return { verdict, after, kept };
  }

  *toWrite(): Generator<Change<Content>> {
    for (const [identity, changed] of this.changed) {
      const before = this.stored.get(identity);
      if (isSame(before, changed)) continue;
      yield { before: before?.content, after: changed.content, overruled: changed.overruled };
    }
  }

  private at(identity: string): Stored<Content> | undefined {
    return this.changed.get(identity) ?? this.stored.get(identity);
  }
}
