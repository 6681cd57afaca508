import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Injectable } from '@nestjs/common';
import { codeOf } from '../../../common/errors/is-error.js';
import { ensureWritable } from '../../../common/writable-folder.js';
import { isRecord } from '../../../common/validation/is-record.js';
import { Settings } from '../../../config/settings.js';
import { UnusableErasuresError, type Tombstone } from '../tombstones/erased-person.model.js';

const PERSON = /^[0-9a-f]{64}$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;
const OWNER_ONLY = 0o600;

/** What a file of erasures has. */
export interface Erasures {
  /** The key of the hashes as it was encrypted at some time, latest last. */
  readonly secrets: readonly string[];
  readonly tombstones: readonly Tombstone[];
}

/**
 * The file of erasures: lines of JSON, each with a tombstone or the encrypted key. It is never shortened,
 * and outlives the database, which may be restored from a backup that is older than an erasure.
 */
@Injectable()
export class ErasuresFile {
  readonly path: string;

  constructor({ erasuresFile }: Settings) {
    this.path = erasuresFile;
  }

  /**
   * Of a file that is not there: nothing. Lines of an interrupted write are passed over.
   * @throws UnusableErasuresError
   */
  async read(): Promise<Erasures> {
    return erasuresIn((await textOf(this.path)).split('\n'));
  }

  /** Finds out at the start what the first erasure would meet. @throws UnusableErasuresError */
  async checkFolder(): Promise<void> {
    try {
      await ensureWritable(dirname(this.path));
    } catch (error) {
      throw new UnusableErasuresError('written', error);
    }
  }

  /** Adds lines; they are on the disk when this returns. @throws UnusableErasuresError */
  async append(lines: readonly (Tombstone | { readonly secret: string })[]): Promise<void> {
    if (lines.length === 0) return;
    try {
      // It begins with an end of line, because the line before may have been interrupted.
      await this.write(`\n${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
    } catch (error) {
      throw new UnusableErasuresError('written', error);
    }
  }

  private async write(text: string): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true });
    const file = await open(this.path, 'a', OWNER_ONLY);
    try {
      await file.appendFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
  }
}

/** What lines of JSON have, as they are in a file. */
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

function tombstoneIn(value: Readonly<Record<string, unknown>>): Tombstone | null {
  const { vendor_id, person, erased_at } = value;
  if (typeof vendor_id !== 'number' || !Number.isSafeInteger(vendor_id)) return null;
  if (typeof person !== 'string' || !PERSON.test(person)) return null;
  if (typeof erased_at !== 'string' || !DATE_TIME.test(erased_at)) return null;
  return { vendor_id, person, erased_at };
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return '';
    throw new UnusableErasuresError('read', error);
  }
}

function parsed(line: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
