import { Injectable } from '@nestjs/common';
import { StartError } from '../../platform/errors/domain-error.js';
import { isLedgerKind, LEDGER_KINDS, REMOVED_KIND } from './change.model.js';
import type { ChangeSource } from './change-source.model.js';

/** The extension that adds change sources. */
interface SourceOwner {
  readonly name: string;
  /** Place among the installed extensions, from 0. */
  readonly place: number;
}

/** A stored kind has at most 32 characters, and that of a removed record has 8 more. */
const KIND = /^[a-z][a-z0-9_]{0,22}$/;
/** The object of a change is a field beside these, named after its kind. */
const FIELDS: readonly string[] = ['sequence', 'kind', 'changed_at'];

/** Knows the change sources of all features, and so the kinds of records in the feed. */
@Injectable()
export class ChangeSources {
  private readonly sources = new Map<string, ChangeSource>();
  private readonly added: string[][] = [];
  private all: readonly string[] = LEDGER_KINDS;

  /** Kinds of records: those of the service, and then those of extensions in their order. */
  get kinds(): readonly string[] {
    return this.all;
  }

  /**
   * Adds the change sources of a module.
   * @param owner extension of the module, or null for a module of the service
   * @throws StartError if an extension may not have such a kind
   */
  add(sources: readonly ChangeSource[], owner: SourceOwner | null): void {
    for (const source of sources) {
      if (owner !== null) this.addKind(source, owner);
      this.sources.set(source.kind, source);
    }
    this.all = [...LEDGER_KINDS, ...this.added.flat()];
  }

  /** @throws Error if no module shows this kind */
  of(kind: string): ChangeSource {
    const source = this.sources.get(kind);
    if (source === undefined) throw new Error(`no module shows changes of kind ${kind}`);
    return source;
  }

  private addKind({ kind }: ChangeSource, { name, place }: SourceOwner): void {
    const prefix = name.replaceAll('-', '_');
    const isOwn = kind === prefix || kind.startsWith(`${prefix}_`);
    const problem = isOwn && KIND.test(kind) ? this.problemOf(kind) : wrongNameOf(kind, prefix);
    if (problem !== null) throw new StartError(`Extension ${name}: ${problem}.`);
    (this.added[place] ??= []).push(kind);
  }

  private problemOf(kind: string): string | null {
    const isTaken =
      this.sources.has(kind) ||
      isLedgerKind(kind) ||
      FIELDS.includes(kind) ||
      kind.startsWith(REMOVED_KIND);
    return isTaken ? `the change kind ${kind} is taken` : null;
  }
}

function wrongNameOf(kind: string, prefix: string): string {
  return `the change kind ${kind} is not ${prefix}, or ${prefix}_ and more, in at most 23 characters of a-z, 0-9 and _`;
}
