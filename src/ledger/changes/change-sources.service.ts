import { Injectable } from '@nestjs/common';
import type { LedgerKind } from './change.model.js';
import type { ChangeSource } from './change-source.model.js';

/** Holds the change sources of all modules; each registers itself. */
@Injectable()
export class ChangeSourcesService {
  private readonly sources = new Map<LedgerKind, ChangeSource>();

  add(source: ChangeSource): void {
    this.sources.set(source.kind, source);
  }

  /** @throws Error if no module shows this kind */
  of(kind: LedgerKind): ChangeSource {
    const source = this.sources.get(kind);
    if (source === undefined) throw new Error(`no module shows changes of kind ${kind}`);
    return source;
  }
}
