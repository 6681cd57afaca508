import {
  isLastRecord,
  mergedWith,
  type Merged,
  type Stored,
} from '../../ledger-format/overruled-fields.js';
import { isOlder, type Versioned } from '../../ledger-format/record-version.js';
import { isSame } from '../../ledger-format/same-content.js';
import type { Verdict } from './import.model.js';
import type { Change } from './record-kind.js';

/** Holds the result of a line: the state after it, or the reason to reject it. */
type AppliedLine<Content extends object> =
  | {
      readonly verdict: Exclude<Verdict, 'rejected'>;
      readonly after: Content;
      readonly kept: Merged<Content>['kept'];
    }
  | { readonly verdict: 'rejected'; readonly problem: string };

interface ToWrite<Content extends object> {
  readonly changes: Change<Content>[];
  /** Stored records whose version alone rises. */
  readonly raised: Change<Content>[];
}

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

  toWrite(): ToWrite<Content> {
    const toWrite: ToWrite<Content> = { changes: [], raised: [] };
    for (const [identity, changed] of this.changed) {
      const before = this.stored.get(identity);
      if (isSame(before, changed)) continue;
      const isRaised = isSame(before, { ...changed, record_version: before?.record_version });
      toWrite[isRaised ? 'raised' : 'changes'].push({ before: before?.content, ...changed });
    }
    return toWrite;
  }

  private at(identity: string): Stored<Content> | undefined {
    return this.changed.get(identity) ?? this.stored.get(identity);
  }
}

function otherContent(record_version: number): string {
  return `record_version: ${record_version} is stored with other content; a change needs a higher version`;
}
