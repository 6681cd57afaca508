import { Injectable } from '@nestjs/common';
import { linesOf, openLedger } from '../../../ledger/files/ledger-file.js';
import { Database } from '../../../platform/database/database.js';
import { BY_OPERATOR } from '../../../platform/values/author.js';
import { parseAuditLine } from '../../audit/index.js';
import { PersonSubscriptionsService } from '../../recurring/index.js';
import { PersonSalesService } from '../../transactions/index.js';
import { ErasePersonService } from './erase-person.service.js';
import { recordsOf, type ErasedPerson, type PersonRecords } from './people.model.js';
import {
  ExtensionRowsService,
  type PersonalTableList,
} from '../extension-rows/extension-rows.service.js';
import { ExtensionSweepService } from '../extension-rows/extension-sweep.service.js';
import {
  ALL_VENDORS,
  ERASURE_STATES,
  ForeignErasuresError,
  type StoredTombstone,
  type Tombstone,
} from '../tombstones/erased-person.model.js';
import { erasuresIn, type Erasures } from '../tombstones/erasures-file.js';
import { ErasuresSyncService, type LookedAtFile } from '../tombstones/erasures-sync.service.js';
import { PersonKeysService, type PersonHashes } from '../tombstones/person-keys.service.js';
import { TombstonesRepository, type TombstoneKey } from '../tombstones/tombstones.repository.js';

const LINES = 1_000;
const TOMBSTONES = 500;
const NO_VENDOR = -1;
const FIRST = { vendor_id: NO_VENDOR, person: '' };

/** These counts describe interrupted erasures that were finished. */
interface Finished extends PersonRecords {
  /** Number of customers with stored data. */
  readonly people: number;
}

export interface Replayed extends Finished {
  /** Number of erasures in the files, including repeated ones. */
  readonly erasures: number;
  /** Number of erasures that the database lacked. */
  readonly added: number;
}

interface Walk {
  readonly hashes: PersonHashes;
  /** Last number to process. Later erasures belong to other processes. */
  readonly through: number;
  readonly done: { -readonly [Count in keyof Finished]: Finished[Count] };
  readonly tables: PersonalTableList;
  /** Erasures at all vendors, by customer, with the data erased at each vendor. */
  readonly atAll: Map<string, { readonly tombstone: Tombstone; readonly erased: ErasedPerson[] }>;
}

/** Finishes interrupted erasures, and repeats those that a restored database lacks. */
@Injectable()
export class PendingErasuresService {
  constructor(
    private readonly database: Database,
    private readonly keys: PersonKeysService,
    private readonly tombstones: TombstonesRepository,
    private readonly sync: ErasuresSyncService,
    private readonly erasing: ErasePersonService,
    private readonly sales: PersonSalesService,
    private readonly subscriptions: PersonSubscriptionsService,
    private readonly rows: ExtensionRowsService,
    private readonly sweeping: ExtensionSweepService,
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
    const finished = await this.goOn();
    await this.sweeping.sweep();
    return { erasures, added, ...finished };
  }

  /**
   * Compares the file of erasures with the database, and finishes all interrupted erasures.
   * @param looked the file as it was found, if it was just looked at
   */
  async goOn(looked?: LookedAtFile): Promise<Finished> {
    await this.numberAll();
    await this.sync.complete(looked ?? (await this.sync.look()));
    return this.finish();
  }

  /** Adds tombstones that the database lacks. @returns the number of added tombstones */
  private async add({ tombstones }: Erasures, secrets: readonly string[]): Promise<number> {
    const missing = await this.tombstones.missingOf(tombstones);
    if (missing.length === 0) return 0;
    await this.keys.ensure(secrets);
    await this.database.write((session) => this.tombstones.save(session, missing));
    return missing.length;
  }

  /** Numbers the tombstones stored by instances of the previous version, in batches. */
  private async numberAll(): Promise<void> {
    for (const state of [ERASURE_STATES.before, ERASURE_STATES.pending]) {
      let last: TombstoneKey | undefined = FIRST;
      while (last !== undefined) {
        const some: TombstoneKey[] = await this.tombstones.withoutNumber(state, last, TOMBSTONES);
        if (some.length > 0) {
          await this.database.writeBatch((session) => this.tombstones.number(session, state, some));
        }
        last = some.at(-1);
      }
    }
  }

  /**
   * Finishes all interrupted erasures. A tombstone names nobody, so all e-mails of its vendor are
   * hashed and compared. Memory use does not grow with the number of erasures.
   */
  private async finish(): Promise<Finished> {
    const through = await this.tombstones.lastNumber();
    const first = await this.tombstones.pendingVendor(NO_VENDOR, through);
    const done: Walk['done'] = { people: 0, sales: 0, recurring_payments: 0 };
    if (first === null) return done;
    const tables = await this.rows.tables();
    const walk: Walk = {
      hashes: await this.keys.ensure(),
      through,
      done,
      atAll: new Map(),
      tables,
    };
    const ledgers = await this.rows.vendorIds(walk.tables);
    if (first === ALL_VENDORS) {
      for (const vendor_id of ledgers) await this.walk(vendor_id, walk);
    } else {
      const own = new Set(ledgers);
      let vendor_id: number | null = first;
      while (vendor_id !== null) {
        if (own.has(vendor_id)) await this.walk(vendor_id, walk);
        vendor_id = await this.tombstones.pendingVendor(vendor_id, through);
      }
    }
    for (const { tombstone, erased } of walk.atAll.values()) {
      await this.erasing.endAtAll(tombstone, BY_OPERATOR, erased);
    }
    await this.endRest(through);
    return { ...done, people: done.people + walk.atAll.size };
  }

  private async walk(vendor_id: number, walk: Walk): Promise<void> {
    // An import that began before the tombstone was stored does not know of it. Taking the lock
    // waits for its end.
    await this.database.write((session) => this.sales.lock(session, vendor_id));
    const all = [
      this.sales.emails(vendor_id),
      this.subscriptions.emails(vendor_id),
      this.rows.emails(walk.tables, vendor_id),
    ];
    for (const people of all) {
      for await (const emails of people) await this.eraseAmong(vendor_id, emails, walk);
    }
  }

  private async eraseAmong(vendor_id: number, emails: readonly string[], walk: Walk) {
    const named = new Map(emails.map((email) => [walk.hashes.personOf(email), email]));
    const stored = await this.tombstones.tombstonesOf(
      this.database,
      [ALL_VENDORS, vendor_id],
      [...named.keys()],
    );
    for (const tombstone of stored) {
      const email = named.get(tombstone.person);
      if (email === undefined || !isPending(tombstone, walk.through)) continue;
      const person = { email, tombstone, hashes: walk.hashes, by: BY_OPERATOR };
      const erased = await this.erasing.eraseAt(vendor_id, person);
      walk.done.sales += erased.sales;
      walk.done.recurring_payments += erased.recurring_payments;
      if (erased.extension_rows !== undefined) {
        walk.done.extension_rows = (walk.done.extension_rows ?? 0) + erased.extension_rows;
      }
      if (tombstone.vendor_id !== ALL_VENDORS) walk.done.people += 1;
      else addTo(walk, tombstone, erased);
    }
  }

  /** Ends the other pending erasures, because none of their data is stored. */
  private async endRest(through: number): Promise<void> {
    let vendor_id = await this.tombstones.pendingVendor(NO_VENDOR, through);
    while (vendor_id !== null) {
      let last: Tombstone | undefined = { vendor_id, person: '', erased_at: '' };
      while (last !== undefined) {
        const some: StoredTombstone[] = await this.tombstones.pendingAt(last, through, TOMBSTONES);
        if (some.length > 0) {
          await this.database.writeBatch((session) => this.tombstones.finishAll(session, some));
        }
        last = some.at(-1);
      }
      vendor_id = await this.tombstones.pendingVendor(vendor_id, through);
    }
  }
}

function isPending({ is_pending, number }: StoredTombstone, through: number): boolean {
  return is_pending === ERASURE_STATES.pending && number <= through;
}

function addTo({ atAll }: Walk, tombstone: Tombstone, erased: ErasedPerson): void {
  const known = atAll.get(tombstone.person) ?? { tombstone, erased: [] };
  if (recordsOf(erased) > 0) known.erased.push(erased);
  atAll.set(tombstone.person, known);
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
