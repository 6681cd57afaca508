import { Injectable } from '@nestjs/common';
import { ErasuresFile } from '../erasures-file/erasures-file.js';
import {
  ForeignErasuresError,
  UnreplayedErasuresError,
  type Tombstone,
} from '../tombstones/erased-person.model.js';
import { PersonKeysService } from '../tombstones/person-keys.service.js';
import { ReplayService } from './replay.service.js';

/** Before the service starts: nobody who was erased may be shown, after a backup was restored. */
@Injectable()
export class ErasuresCheckService {
  constructor(
    private readonly file: ErasuresFile,
    private readonly keys: PersonKeysService,
    private readonly replays: ReplayService,
  ) {}

  /**
   * Compares the file of erasures with the database, adds to the file what it lacks, and goes on with
   * erasures that were interrupted.
   * @throws UnreplayedErasuresError, ForeignErasuresError, UnusableErasuresError
   */
  async check(): Promise<void> {
    const erasures = await this.file.read();
    await this.file.checkFolder();
    if (!(await this.keys.isOwn(erasures))) throw new ForeignErasuresError();
    const missing = await this.replays.missingOf(erasures.tombstones);
    if (missing.length > 0) throw new UnreplayedErasuresError(missing.length);
    const known = new Set(erasures.tombstones.map(nameOf));
    const unwritten: Tombstone[] = [];
    for await (const { vendor_id, person, erased_at } of this.replays.stored()) {
      const tombstone = { vendor_id, person, erased_at };
      if (!known.has(nameOf(tombstone))) unwritten.push(tombstone);
    }
    if (unwritten.length > 0) {
      await this.keys.ensure(erasures);
      await this.file.append(unwritten);
    }
    await this.replays.finishPending();
  }
}

function nameOf({ vendor_id, person, erased_at }: Tombstone): string {
  return `${vendor_id} ${person} ${erased_at}`;
}
