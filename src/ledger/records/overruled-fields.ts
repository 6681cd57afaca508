import { isRecord } from '../../platform/values/is-record.js';
import type { Versioned } from './record-version.js';
import { isSame } from './same-content.js';

/**
 * Describes a field that the API has changed. `said` is its value in the ledger's last record; it
 * is absent if no record has had the field yet.
 */
interface OverruledField {
  readonly said?: unknown;
}

/**
 * Holds the fields of a stored record that the API has changed, with their values in the ledger's
 * last record. It is null if there are none. All other fields of the stored record have the values
 * of that last record. See docs/ledger-file.md#changes-through-the-api.
 */
export type Overruled = Readonly<Record<string, OverruledField>> | null;

/** Contains a record including the changes made through the API. */
export interface Overlaid<Content extends object> {
  readonly content: Content;
  readonly overruled: Overruled;
}

/**
 * Adds the version to a stored record. It is the version of the ledger's last record, because
 * changes through the API do not raise it.
 */
export type Stored<Content extends object> = Overlaid<Content> & Versioned<Content>;

/** Contains a record to be stored, and the record that is stored now, if any. */
export interface RecordChange<Content extends object> extends Stored<Content> {
  readonly before: Content | undefined;
}

/** Contains the result of applying a ledger record to a stored record. */
export interface Merged<Content extends object> extends Overlaid<Content> {
  /** Fields that keep the value that the API has set, although the ledger record has another. */
  readonly kept: readonly {
    readonly field: string;
    readonly stays: unknown;
    readonly not: unknown;
  }[];
}

/**
 * Returns the overruled fields after the API has set fields of a record.
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

/** Returns true if a record has the same content as the ledger's last record of its key. */
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

/** Parses the text that `textOf` writes. */
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

/** Returns the text for the `overruled` column. */
export function textOf(overruled: Overruled): string | null {
  return overruled === null ? null : JSON.stringify(overruled);
}

function orNull(fields: readonly (readonly [string, OverruledField])[]): Overruled {
  return fields.length === 0 ? null : Object.fromEntries(fields);
}
