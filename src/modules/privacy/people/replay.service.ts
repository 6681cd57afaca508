import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { linesOf, openLedger } from '../../../ledger/files/ledger-file.js';
import { parseAuditLine } from '../../audit/index.js';
import { erasuresIn, type Erasures } from '../tombstones/erasures-file.js';
import { ErasuresSyncService } from '../tombstones/erasures-sync.service.js';
import { ForeignErasuresError } from '../tombstones/erased-person.model.js';
import { PersonKeysService } from '../tombstones/person-keys.service.js';
import { TombstonesRepository } from '../tombstones/tombstones.repository.js';
import { PendingErasuresService, type Finished } from './pending-erasures.service.js';

const LINES = 1_000;

export interface Replayed extends Finished {
  /** Number of erasures in the files, including repeated ones. */
  readonly erasures: number;
  /** Number of erasures that the database lacked. */
  readonly added: number;
}

/** Erases again the customers whose data a restored database has brought back. */
@Injectable()
export class ReplayService {
  constructor(
    private readonly database: Database,
    private readonly keys: PersonKeysService,
    private readonly tombstones: TombstonesRepository,
    private readonly sync: ErasuresSyncService,
    private readonly pending: PendingErasuresService,
  ) {}

  /**
   * Adds the tombstones of these files in batches, and erases the stored data of their customers.
   * @param paths files of erasures, or logs with audit lines; `-` for standard input
   * @throws ForeignErasuresError, UnreadableFileError, UnreadablePersonKeyError,
   *   UnusableErasuresError, BusyErasuresError
   */
  async replay(paths: readonly string[]): Promise<Replayed> {
    let [erasures, added] = [0, 0];
    const looked = await this.sync.look(async (part) => {
      added += await this.add(part, part.secrets);
    });
    erasures += looked.entries;
    for (const path of paths) {
      const secrets: string[] = [];
      for await (const some of erasuresOf(path)) {
        secrets.push(...some.secrets);
        if (!(await this.keys.isOwn(secrets))) throw new ForeignErasuresError();
        erasures += some.tombstones.length;
        added += await this.add(some, secrets);
      }
    }
    await this.pending.numberAll();
    await this.sync.complete(await this.sync.look());
    return { erasures, added, ...(await this.pending.finish()) };
  }

  /** Adds tombstones that the database lacks. @returns the number of added tombstones */
  private async add({ tombstones }: Erasures, secrets: readonly string[]): Promise<number> {
    const missing = await this.tombstones.missingOf(tombstones);
    if (missing.length === 0) return 0;
    await this.keys.ensure(secrets);
    await this.database.write((session) => this.tombstones.save(session, missing));
    return missing.length;
  }
}

/** Yields the erasures of a file of erasures, or of a log with audit lines, in batches. */
async function* erasuresOf(path: string): AsyncGenerator<Erasures> {
  const { bytes } = await openLedger(path);
  let lines: string[] = [];
  for await (const line of linesOf(bytes)) {
    const text = line.bytes?.toString() ?? '';
    const entry = parseAuditLine(text);
    if (entry === null) lines.push(text);
    else if (entry.action === 'person.erase') lines.push(JSON.stringify(entry.after));
    if (lines.length < LINES) continue;
    yield erasuresIn(lines);
    lines = [];
  }
  yield erasuresIn(lines);
}
