import { isRecord } from '../../../platform/values/is-record.js';
import type { Tombstone } from './erased-person.model.js';

const PERSON = /^[0-9a-f]{64}$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;
const FILE_ID = /^[0-9a-f]{32}$/;

/** These are the contents of some lines of a file of erasures. */
export interface Erasures {
  /** Encrypted forms of the key of the hashes, the latest last. */
  readonly secrets: readonly string[];
  readonly tombstones: readonly Tombstone[];
}

/** Returns the contents of lines of JSON from a file of erasures. */
export function erasuresIn(lines: readonly string[]): Erasures {
  const secrets: string[] = [];
  const tombstones: Tombstone[] = [];
  for (const line of lines) {
    const value = parsed(line);
    if (typeof value.secret === 'string') secrets.push(value.secret);
    const tombstone = tombstoneIn(value);
    if (tombstone !== null) tombstones.push(tombstone);
  }
  return { secrets, tombstones };
}

/** Returns the id of a file from its first line, or null if the line has none. */
export function fileIdIn(line: string): string | null {
  const { erasures_file: id } = parsed(line);
  return typeof id === 'string' && FILE_ID.test(id) ? id : null;
}

export function fileIdLine(id: string): string {
  return JSON.stringify({ erasures_file: id });
}

function tombstoneIn(value: Readonly<Record<string, unknown>>): Tombstone | null {
  const { vendor_id, person, erased_at } = value;
  if (typeof vendor_id !== 'number' || !Number.isSafeInteger(vendor_id)) return null;
  if (typeof person !== 'string' || !PERSON.test(person)) return null;
  if (typeof erased_at !== 'string' || !DATE_TIME.test(erased_at)) return null;
  return { vendor_id, person, erased_at };
}

function parsed(line: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
