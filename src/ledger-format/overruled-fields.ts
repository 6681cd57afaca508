import { isRecord } from '../common/validation/is-record.js';
import type { Versioned } from './record-version.js';
import { isSame } from './same-content.js';

/** A field that the API has set. `said` is the ledger's last value, absent if it has given none yet. */
interface OverruledField {
  readonly said?: unknown;
}

/**
 * The fields of a stored record that the API has changed, with the ledger's last values (ledger format:
 * What the interface changed outranks the ledger). Of the other fields, the record has the ledger's last
 * value. Null if there are none.
 */
export type Overruled = Readonly<Record<string, OverruledField>> | null;

/** A record with what the API has set in it. */
export interface Overlaid<Content extends object> {
  readonly content: Content;
  readonly overruled: Overruled;
}

/** The version is that of the ledger's last record: the API does not change it. */
export type Stored<Content extends object> = Overlaid<Content> & Versioned<Content>;

/** A stored record after a record of the ledger was applied. */
export interface Merged<Content extends object> extends Overlaid<Content> {
  /** Fields that keep the API's value, although the record has another. */
  readonly kept: readonly {
    readonly field: string;
    readonly stays: unknown;
    readonly not: unknown;
  }[];
}

/**
 * The overruled fields after the API has set fields of a record.
 * @param stored null if the API adds the record
 */
export function overruledBy<Content extends object>(
  stored: Overlaid<Content> | null,
  after: Content,
  fields: readonly (keyof Content & string)[],
): Overruled {
  const before = stored?.overruled ?? {};
  const isUnsaid = stored === null || Object.values(before).some((field) => !('said' in field));
  const set = fields.flatMap((name): [string, OverruledField][] => {
    if (isUnsaid) return [[name, {}]];
    const field = before[name] ?? { said: stored.content[name] };
    return isSame(field.said, after[name]) ? [] : [[name, field]];
  });
  const others = Object.entries(before).filter(([name]) => !fields.some((set) => set === name));
  return orNull([...others, ...set]);
}

/** True if a record says what the ledger's last record of its key said. */
export function isLastRecord<Content extends object>(
  { content, overruled }: Overlaid<Content>,
  record: Content,
): boolean {
  if (overruled === null) return isSame(content, record);
  const said = Object.entries(overruled).map(([name, field]) => [name, field.said]);
  return isSame({ ...content, ...Object.fromEntries(said) }, record);
}

/** Applies the fields of a record that differ from the ledger's last record of its key. */
export function mergedWith<Content extends object>(
  { content, overruled }: Overlaid<Content>,
  record: Content,
): Merged<Content> {
  if (overruled === null) return { content: record, overruled, kept: [] };
  const stored = new Map<string, unknown>(Object.entries(content));
  const said = new Map<string, unknown>(Object.entries(record));
  const stays = Object.entries(overruled).filter(
    ([name, field]) => !('said' in field) || isSame(field.said, said.get(name)),
  );
  const kept = stays
    .map(([field]) => ({ field, stays: stored.get(field), not: said.get(field) }))
    .filter(({ stays, not }) => !isSame(stays, not));
  return {
    content: { ...record, ...Object.fromEntries(kept.map(({ field, stays }) => [field, stays])) },
    overruled: orNull(kept.map(({ field, not }) => [field, { said: not }])),
    kept,
  };
}

/** Parses the text of `textOf`. */
export function overruledOf(text: string | null): Overruled {
  if (text === null) return null;
  const fields: unknown = JSON.parse(text);
  if (!isRecord(fields)) throw new Error('overruled is not an object');
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fieldOf(field)]));
}

function fieldOf(field: unknown): OverruledField {
  if (!isRecord(field)) throw new Error('an overruled field is not an object');
  return 'said' in field ? { said: field.said } : {};
}

/** The text for the column. */
export function textOf(overruled: Overruled): string | null {
  return overruled === null ? null : JSON.stringify(overruled);
}

function orNull(fields: readonly (readonly [string, OverruledField])[]): Overruled {
  return fields.length === 0 ? null : Object.fromEntries(fields);
}
