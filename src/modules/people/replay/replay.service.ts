import { Injectable } from '@nestjs/common';
import { linesOf, openLedger } from '../../../ledger-format/ledger-file.js';
import { parseAuditLine } from '../../audit/audit-line.model.js';
import { NO_APPLICATION, OPERATOR } from '../../audit/audit.model.js';
import { PersonAgreementsService } from '../../recurring/personal-data/person-agreements.service.js';
import { PersonSalesService } from '../../transactions/personal-data/person-sales.service.js';
import { Database } from '../../../database/database.js';
import { ErasePersonService } from '../erase/erase-person.service.js';
import { ErasuresFile, erasuresIn, type Erasures } from '../erasures-file/erasures-file.js';
import {
  ALL_VENDORS,
  ForeignErasuresError,
  type StoredTombstone,
  type Tombstone,
} from '../tombstones/erased-person.model.js';
import type { PersonHashes } from '../tombstones/person-hashes.js';
import { PersonKeysService } from '../tombstones/person-keys.service.js';
import { TombstonesRepository } from '../tombstones/tombstones.repository.js';

const BY_OPERATOR = { user_id: OPERATOR, application_id: NO_APPLICATION };
const TOMBSTONES = 1_000;

export interface Replayed {
  /** Erasures in the files. */
  readonly erasures: number;
  /** Those that the database lacked. */
  readonly added: number;
  /** People of whom something was stored again. */
  readonly people: number;
  readonly sales: number;
  readonly recurring_payments: number;
}

/** Erases again whom a restored database has brought back. */
@Injectable()
export class ReplayService {
  constructor(
    private readonly database: Database,
    private readonly keys: PersonKeysService,
    private readonly tombstones: TombstonesRepository,
    private readonly file: ErasuresFile,
    private readonly erasing: ErasePersonService,
    private readonly sales: PersonSalesService,
    private readonly agreements: PersonAgreementsService,
  ) {}

  /**
   * Adds the tombstones of these files, and erases what is stored of their people.
   * @param paths files of erasures, or logs with audit lines; - for standard input
   * @throws ForeignErasuresError, UnreadableFileError, UnreadablePersonKeyError
   */
  async replay(paths: readonly string[]): Promise<Replayed> {
    const read = await Promise.all(paths.map((path) => erasuresOf(path)));
    const own = await this.file.read();
    const all = [own, ...read];
    const erasures = {
      secrets: all.flatMap(({ secrets }) => secrets),
      tombstones: latestOf(all.flatMap(({ tombstones }) => tombstones)),
    };
    for (const each of all) if (!(await this.keys.isOwn(each))) throw new ForeignErasuresError();
    const missing = await this.missingOf(erasures.tombstones);
    if (missing.length > 0) {
      await this.keys.ensure(erasures);
      await this.file.append(missing.filter((each) => !hasTombstone(own, each)));
      await this.database.write((session) =>
        this.tombstones.save(
          session,
          missing.map((tombstone) => ({ ...tombstone, is_pending: 1 })),
        ),
      );
    }
    const done = await this.finishPending();
    return { erasures: erasures.tombstones.length, added: missing.length, ...done };
  }

  /** Those that the database has not, or only an earlier one of the same person. */
  async missingOf(tombstones: readonly Tombstone[]): Promise<Tombstone[]> {
    const stored = new Map<string, string>();
    for await (const { vendor_id, person, erased_at } of this.stored()) {
      stored.set(`${vendor_id} ${person}`, erased_at);
    }
    return latestOf(tombstones).filter(
      ({ vendor_id, person, erased_at }) =>
        (stored.get(`${vendor_id} ${person}`) ?? '') < erased_at,
    );
  }

  /** All tombstones of the database. */
  async *stored(): AsyncGenerator<StoredTombstone> {
    let last: Pick<Tombstone, 'vendor_id' | 'person'> | undefined = { vendor_id: -1, person: '' };
    while (last !== undefined) {
      const some: StoredTombstone[] = await this.tombstones.after(last, TOMBSTONES);
      yield* some;
      last = some.at(-1);
    }
  }

  /** Goes on with erasures that were interrupted. A tombstone names nobody: all e-mails are tried. */
  async finishPending(): Promise<Pick<Replayed, 'people' | 'sales' | 'recurring_payments'>> {
    const pending: Tombstone[] = [];
    for await (const { is_pending, ...tombstone } of this.stored()) {
      if (is_pending === 1) pending.push(tombstone);
    }
    const done = { people: 0, sales: 0, recurring_payments: 0 };
    if (pending.length === 0) return done;
    const hashes = await this.keys.ensure();
    const emails = await this.emailsOf(pending, hashes);
    for (const tombstone of pending) {
      const email = emails.get(tombstone);
      if (email === undefined) {
        await this.database.write((session) => this.tombstones.finish(session, tombstone));
        continue;
      }
      const person = { email, tombstone, hashes, by: BY_OPERATOR };
      for (const erased of await this.erasing.eraseStored(person)) {
        done.sales += erased.sales;
        done.recurring_payments += erased.recurring_payments;
      }
      done.people += 1;
    }
    return done;
  }

  private async emailsOf(
    pending: readonly Tombstone[],
    hashes: PersonHashes,
  ): Promise<ReadonlyMap<Tombstone, string>> {
    const emails = new Map<Tombstone, string>();
    for (const vendor_id of await this.sales.vendorIds()) {
      const wanted = new Map<string, Tombstone[]>();
      for (const tombstone of pending) {
        if (![vendor_id, ALL_VENDORS].includes(tombstone.vendor_id)) continue;
        wanted.set(tombstone.person, [...(wanted.get(tombstone.person) ?? []), tombstone]);
      }
      if (wanted.size === 0) continue;
      // An import that began before the tombstone was stored does not know of it, so it is waited for.
      await this.database.write((session) => this.sales.lock(session, vendor_id));
      for (const people of [this.sales, this.agreements]) {
        for await (const some of people.emails(vendor_id)) {
          for (const email of some) {
            for (const tombstone of wanted.get(hashes.personOf(email)) ?? []) {
              emails.set(tombstone, email);
            }
          }
        }
      }
    }
    return emails;
  }
}

/** The last erasure of each person at each vendor. */
function latestOf(tombstones: readonly Tombstone[]): Tombstone[] {
  const latest = new Map<string, Tombstone>();
  for (const tombstone of tombstones) {
    const name = `${tombstone.vendor_id} ${tombstone.person}`;
    if ((latest.get(name)?.erased_at ?? '') < tombstone.erased_at) latest.set(name, tombstone);
  }
  return [...latest.values()];
}

function hasTombstone({ tombstones }: Erasures, wanted: Tombstone): boolean {
  return tombstones.some(
    ({ vendor_id, person, erased_at }) =>
      vendor_id === wanted.vendor_id && person === wanted.person && erased_at === wanted.erased_at,
  );
}

async function erasuresOf(path: string): Promise<Erasures> {
  const { bytes } = await openLedger(path);
  const lines: string[] = [];
  for await (const line of linesOf(bytes)) {
    const text = line.bytes?.toString() ?? '';
    const entry = parseAuditLine(text);
    if (entry === null) lines.push(text);
    else if (entry.action === 'person.erase') lines.push(JSON.stringify(entry.after));
  }
  return erasuresIn(lines);
}
