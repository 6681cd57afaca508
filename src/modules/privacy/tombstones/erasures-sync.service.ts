import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { dateTimeOf, dayOf } from '../../../platform/values/time.js';
import { Database } from '../../../platform/database/database.js';
import {
  BusyErasuresError,
  ForeignErasuresError,
  type ErasureFile,
  type NumberedKey,
  type Tombstone,
} from './erased-person.model.js';
import { PersonKeysService } from './person-keys.service.js';
import { TombstonesRepository } from './tombstones.repository.js';
import { ErasuresFile, type FilePart } from './erasures-file.js';

const TOMBSTONES = 1_000;
/** A call waits this long for another process that replaces the file. */
const WAITS = { times: 100, ms: 100 };
/** This number comes before all tombstones, including those without a number. */
const FROM_THE_FIRST = -1;

/**
 * This is the result of comparing the file of erasures with the database. The id is null if the
 * file is of a previous version or does not exist.
 */
export interface LookedAtFile extends Omit<ErasureFile, 'id' | 'ending' | 'seen'> {
  readonly id: string | null;
  /** Earlier state of the file that the database has recorded, or null. */
  readonly recorded: ErasureFile | null;
  /** Number of tombstones that the database lacks. */
  readonly missing: number;
  /** Number of bytes that were read. */
  readonly read: number;
}

/**
 * Keeps the file of erasures and the tombstones of the database in sync. The database records how
 * much of a file is compared, so only the rest of the file and later tombstones are read.
 */
@Injectable()
export class ErasuresSyncService {
  private lastAdded: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly file: ErasuresFile,
    private readonly tombstones: TombstonesRepository,
    private readonly keys: PersonKeysService,
  ) {}

  /**
   * Reads the part of the file that is not compared yet, or the whole file if it is not the
   * recorded one.
   * @param add receives each part before its missing tombstones are counted
   * @throws ForeignErasuresError, UnusableErasuresError
   */
  async look(add?: (part: FilePart) => Promise<void>): Promise<LookedAtFile> {
    const { id, recorded } = await this.known();
    const begin = recorded?.bytes ?? 0;
    let { entries, bytes, secret } = recorded ?? { entries: 0, bytes: 0, secret: '' };
    let [missing, read] = [0, 0];
    const secrets = new Set<string>();
    for await (const part of this.file.parts(begin)) {
      for (const each of part.secrets) secrets.add(each);
      if (recorded === null && !(await this.keys.isOwn([...secrets]))) {
        throw new ForeignErasuresError();
      }
      await add?.(part);
      missing += (await this.tombstones.missingOf(part.tombstones)).length;
      read = part.bytes - begin;
      if (part.bytes === bytes) continue;
      entries += part.tombstones.length;
      bytes = part.bytes;
      secret = part.secrets.at(-1) ?? secret;
    }
    const through = recorded?.through ?? FROM_THE_FIRST;
    return { id, recorded, entries, bytes, secret, through, missing, read };
  }

  /**
   * Adds a tombstone of the database to the file. Calls run one at a time, because each also adds
   * the tombstones that others have just stored.
   * @throws ForeignErasuresError, UnusableErasuresError, BusyErasuresError
   */
  add(tombstone: Tombstone): Promise<void> {
    const added = this.lastAdded.then(async () => {
      const looked = await this.look();
      // The recorded position must not pass missing tombstones until they are replayed.
      if (looked.missing > 0) await this.file.append([tombstone]);
      else await this.complete(looked);
    });
    this.lastAdded = added.catch(() => undefined);
    return added;
  }

  /**
   * Adds the database's tombstones that the file lacks, and records how much of both is compared.
   * The database must already have everything that is in the file.
   * @throws UnusableErasuresError, BusyErasuresError
   */
  async complete(looked: LookedAtFile): Promise<void> {
    const secret = await this.tombstones.secret(this.database);
    // Without a key, nobody was erased yet.
    if (secret === null) return;
    const through = await this.tombstones.lastNumber();
    if (looked.id === null) return this.begin(secret, through);
    if (looked.secret !== secret) await this.file.append([{ secret }]);
    for await (const lines of this.linesAfter(looked.through, through)) {
      await this.file.append(lines);
    }
    const now = await this.look();
    // An instance of the previous version has just added a line, or the database was restored
    // meanwhile.
    if (now.missing > 0 || now.id === null) return;
    const { id, entries, bytes } = now;
    const last = now.recorded;
    const isRecorded =
      last?.bytes === bytes && last.through === through && last.secret === now.secret;
    if (!isRecorded || dayOf(last.seen) !== dayOf(dateTimeOf(new Date()))) {
      await this.record({ id, entries, bytes, secret: now.secret, through });
    }
  }

  /** @returns the recorded state of the file, if the file still begins with that content */
  private async known(): Promise<Pick<LookedAtFile, 'id' | 'recorded'>> {
    const { id, bytes } = await this.file.head();
    const recorded = id === null ? null : await this.tombstones.file(id);
    if (recorded === null || recorded.bytes > bytes) return { id, recorded: null };
    const isAsItWas =
      recorded.through <= (await this.tombstones.lastNumber()) &&
      recorded.ending === (await this.file.endingAt(recorded.bytes));
    return { id, recorded: isAsItWas ? recorded : null };
  }

  /**
   * Writes a file with an id. The database already has everything from a file of a previous
   * version.
   */
  private async begin(secret: string, through: number): Promise<void> {
    for (let waits = 0; waits < WAITS.times; waits += 1) {
      const id = randomBytes(16).toString('hex');
      let entries = 0;
      const parts = this.linesAfter(FROM_THE_FIRST, through);
      const bytes = await this.file.replace(
        id,
        (async function* () {
          yield [{ secret }];
          for await (const lines of parts) {
            entries += lines.length;
            yield lines;
          }
        })(),
      );
      if (bytes !== null) return this.record({ id, entries, bytes, secret, through });
      if ((await this.file.head()).id !== null) return this.complete(await this.look());
      await wait(WAITS.ms);
    }
    throw new BusyErasuresError();
  }

  private async *linesAfter(from: number, through: number): AsyncGenerator<Tombstone[]> {
    let last: NumberedKey | undefined = {
      number: from,
      vendor_id: Number.MAX_SAFE_INTEGER,
      person: '',
    };
    while (last !== undefined) {
      const some = await this.tombstones.after(last, through, TOMBSTONES);
      if (some.length > 0) {
        yield some.map(({ vendor_id, person, erased_at }) => ({ vendor_id, person, erased_at }));
      }
      last = some.at(-1);
    }
  }

  private async record(file: Omit<ErasureFile, 'ending' | 'seen'>): Promise<void> {
    const ending = await this.file.endingAt(file.bytes);
    const seen = dateTimeOf(new Date());
    await this.database.writeIdempotent((session) =>
      this.tombstones.saveFile(session, { ...file, ending, seen }),
    );
  }
}
