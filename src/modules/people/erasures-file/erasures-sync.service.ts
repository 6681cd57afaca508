import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { dateTimeOf, dayOf } from '../../../common/time.js';
import { Database } from '../../../database/database.js';
import {
  BusyErasuresError,
  ForeignErasuresError,
  type ErasureFile,
  type NumberedKey,
  type Tombstone,
} from '../tombstones/erased-person.model.js';
import { PersonKeysService } from '../tombstones/person-keys.service.js';
import { TombstonesRepository } from '../tombstones/tombstones.repository.js';
import { ErasureFilesRepository } from './erasure-files.repository.js';
import { ErasuresFile, type FilePart } from './erasures-file.js';

const TOMBSTONES = 1_000;
/** How long another process may take that writes the file anew. */
const WAITS = { times: 100, ms: 100 };
/** This number is before all tombstones, also before those that have none. */
const FROM_THE_FIRST = -1;

/** The file of erasures, compared with the database. Without an id, it is of a previous version, or not there. */
export interface LookedAtFile extends Omit<ErasureFile, 'id' | 'ending' | 'seen'> {
  readonly id: string | null;
  /** The database knew this before. */
  readonly recorded: ErasureFile | null;
  /** Tombstones that the database has not. */
  readonly missing: number;
  /** How many bytes were read. */
  readonly read: number;
}

/**
 * Keeps the file of erasures and the tombstones of the database equal. The database records how far it has compared a
 * file, so that only the rest of the file and later tombstones are read, however many there are.
 */
@Injectable()
export class ErasuresSyncService {
  private lastAdded: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly file: ErasuresFile,
    private readonly files: ErasureFilesRepository,
    private readonly tombstones: TombstonesRepository,
    private readonly keys: PersonKeysService,
  ) {}

  /**
   * Reads what the database does not know of the file: all of it, if the file is not the one that it knows.
   * @param add takes the parts that were read, before the database is asked what it lacks of them
   * @throws ForeignErasuresError, UnusableErasuresError
   */
  async look(add: (part: FilePart) => Promise<void> = nothing): Promise<LookedAtFile> {
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
      await add(part);
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
   * Puts a tombstone into the file that the database has already. One at a time, because each also adds those that
   * others have just stored.
   * @throws ForeignErasuresError, UnusableErasuresError, BusyErasuresError
   */
  add(tombstone: Tombstone): Promise<void> {
    const added = this.lastAdded.then(async () => {
      const looked = await this.look();
      // The record must not pass what the database lacks until it is replayed.
      if (looked.missing > 0) await this.file.append([tombstone]);
      else await this.complete(looked);
    });
    this.lastAdded = added.catch(() => undefined);
    return added;
  }

  /**
   * Adds to a file of which the database lacks nothing what it lacks of the database, and records how far both were
   * compared.
   * @throws UnusableErasuresError, BusyErasuresError
   */
  async complete(looked: LookedAtFile): Promise<void> {
    const secret = await this.tombstones.secret(this.database);
    // Nobody was erased yet.
    if (secret === null) return;
    const through = await this.tombstones.lastNumber();
    if (looked.id === null) return this.begin(secret, through);
    if (looked.secret !== secret) await this.file.append([{ secret }]);
    for await (const lines of this.linesAfter(looked.through, through)) {
      await this.file.append(lines);
    }
    const now = await this.look();
    // An instance of the previous version has just added it, or the database was restored meanwhile.
    if (now.missing > 0 || now.id === null) return;
    const { id, entries, bytes } = now;
    const last = now.recorded;
    const isRecorded =
      last?.bytes === bytes && last.through === through && last.secret === now.secret;
    if (!isRecorded || dayOf(last.seen) !== dayOf(dateTimeOf(new Date()))) {
      await this.record({ id, entries, bytes, secret: now.secret, through });
    }
  }

  /** @returns what the database knows of the file, if the file still begins with that */
  private async known(): Promise<Pick<LookedAtFile, 'id' | 'recorded'>> {
    const { id, bytes } = await this.file.head();
    const recorded = id === null ? null : await this.files.find(id);
    if (recorded === null || recorded.bytes > bytes) return { id, recorded: null };
    const isAsItWas =
      recorded.through <= (await this.tombstones.lastNumber()) &&
      recorded.ending === (await this.file.endingAt(recorded.bytes));
    return { id, recorded: isAsItWas ? recorded : null };
  }

  /** Writes a file with an id. Everything that a file of a previous version has is in the database by now. */
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
      this.files.save(session, { ...file, ending, seen }),
    );
  }
}

function nothing(): Promise<void> {
  return Promise.resolve();
}
