import type { RecordFields } from '../../common/record-fields.js';
import type {
  BatchRun,
  LedgerLine,
  RecordBatch,
  SinceLine,
  Verdict,
  Wanted,
} from './ledger.model.js';

/** What a module says of one of its record types, so that a batch of them can be applied. */
export interface RecordKind<Content extends object> {
  /** Reads a record's fields and notes in `wanted` what it refers to. */
  read(fields: RecordFields, wanted: Wanted): Content;
  identity(content: Content): string;
  /** The stored records among these, in the same form. */
  stored(run: BatchRun, contents: readonly Content[]): Promise<readonly Content[]>;
  /** Why the record can't be taken at that line, as `field: problem`, or null. */
  refusal(
    content: Content,
    line: number,
    run: BatchRun,
    before: Content | undefined,
  ): string | null;
  /** Notes that something exists since a line, for the records that refer to it. */
  noteExistence?(content: Content, since: SinceLine, run: BatchRun): void;
  save(run: BatchRun, changes: readonly Change<Content>[]): Promise<void>;
}

export interface Change<Content> {
  /** What is stored, if anything. */
  readonly before: Content | undefined;
  readonly after: Content;
}

/** The lines of one record type, played in order over what is stored. */
export class LinesOfKind<Content extends object> implements RecordBatch {
  private readonly lines: LedgerLine<Content>[] = [];

  constructor(private readonly kind: RecordKind<Content>) {}

  read(line: number, fields: RecordFields, wanted: Wanted): void {
    const content = this.kind.read(fields, wanted);
    if (fields.faults.length === 0) this.lines.push({ line, content });
  }

  async apply(run: BatchRun): Promise<void> {
    const { kind } = this;
    const contents = this.lines.map(({ content }) => content);
    const stored = await kind.stored(run, contents);
    const overlay = new Overlay(
      new Map(stored.map((content) => [kind.identity(content), content])),
    );
    for (const { line, content } of this.lines) {
      const identity = kind.identity(content);
      const problem = kind.refusal(content, line, run, overlay.get(identity));
      if (problem !== null) {
        run.reject(line, problem);
        continue;
      }
      if (overlay.get(identity) === undefined) kind.noteExistence?.(content, line, run);
      run.accept(line, overlay.put(identity, content));
    }
    const changes = [...overlay.toWrite()];
    if (changes.length > 0) await kind.save(run, changes);
  }
}

/**
 * Each line learns what it did to the state before it; only the last state of each identity is
 * written.
 */
class Overlay<Content extends object> {
  private readonly changed = new Map<string, Content>();

  constructor(private readonly stored: ReadonlyMap<string, Content>) {}

  get(identity: string): Content | undefined {
    return this.changed.get(identity) ?? this.stored.get(identity);
  }

  put(identity: string, content: Content): Exclude<Verdict, 'rejected'> {
    const before = this.get(identity);
    if (before !== undefined && isSame(before, content)) return 'unchanged';
    this.changed.set(identity, content);
    return before === undefined ? 'inserted' : 'updated';
  }

  *toWrite(): Generator<Change<Content>> {
    for (const [identity, after] of this.changed) {
      const before = this.stored.get(identity);
      if (before === undefined || !isSame(before, after)) yield { before, after };
    }
  }
}

/** Compares plain data: text, numbers, null, and lists or objects of those. */
function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((value, at) => isSame(value, right[at]));
  }
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) {
    return false;
  }
  const others = new Map<string, unknown>(Object.entries(right));
  const entries = Object.entries(left);
  return entries.length === others.size && entries.every(([k, v]) => isSame(v, others.get(k)));
}
