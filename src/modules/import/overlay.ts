import { mergedWith, type Merged, type Stored } from '../../ledger-format/overruled-fields.js';
import { isSame } from '../../ledger-format/same-content.js';
import type { Verdict } from './import.model.js';
import type { Change } from './record-kind.js';

/** What a line changed of the state before it. */
interface AppliedLine<Content extends object> {
  readonly verdict: Exclude<Verdict, 'rejected'>;
  readonly after: Content;
  readonly kept: Merged<Content>['kept'];
}

/**
 * The records of a batch over those that are stored. Each line is compared with the state before it;
 * only the last state of each identity is written.
 */
export class Overlay<Content extends object> {
  private readonly changed = new Map<string, Stored<Content>>();

  constructor(private readonly stored: ReadonlyMap<string, Stored<Content>>) {}

  get(identity: string): Content | undefined {
    return this.at(identity)?.content;
  }

  put(identity: string, record: Content): AppliedLine<Content> {
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
      yield { before: before?.content, ...changed };
    }
  }

  private at(identity: string): Stored<Content> | undefined {
    return this.changed.get(identity) ?? this.stored.get(identity);
  }
}
