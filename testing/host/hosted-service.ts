import { setTimeout as wait } from 'node:timers/promises';
import type { Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { InstalledExtension } from '../../src/feature.js';
import { SignInService } from '../../src/modules/accounts/sessions/sign-in.service.js';
import { ErasePersonService } from '../../src/modules/privacy/people/erase-person.service.js';
import { Database } from '../../src/platform/database/database.js';
import { BY_OPERATOR } from '../../src/platform/values/author.js';
import type { StartedService, StoredRow } from '../src/host.js';
import type { Access } from '../src/ledger/access-row.js';
import { LEDGER_TABLES } from './ledger-tables.js';
import { createKey, createSourceKey, importRecords } from './service-works.js';

const LOOK_MS = 20;
/** A busy machine may need most of this time. */
const SETTLED_WITHIN_MS = 100_000;

/** Records statements. */
interface Recorder {
  /**
   * Returns the SQL of each statement of a work, and of the extension in the background meanwhile.
   * @param isOwn returns true for a statement that an extension without a folder sends
   */
  during(work: () => Promise<unknown>, isOwn: (sql: string) => boolean): Promise<readonly string[]>;
  /** Does a work whose statements are not recorded. */
  without<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** The service in this process, as the checks of the package use it. */
export class HostedService implements StartedService {
  readonly ledgerTables = LEDGER_TABLES;
  readonly extension: StartedService['extension'];
  private readonly listenerCount: number;

  constructor(
    private readonly app: NestExpressApplication,
    readonly port: number,
    { declaration, parts }: InstalledExtension,
    private readonly recorder: Recorder,
  ) {
    const { name, versions = [] } = declaration;
    const tableOf = ({ options }: (typeof parts.entities)[number]) => options.tableName ?? '';
    this.listenerCount = parts.onChanges.length;
    this.extension = {
      name,
      versions,
      tables: parts.entities.map(tableOf),
      personal: Object.fromEntries(
        parts.personalTables.map(({ entity, columns }) => [tableOf(entity), Object.keys(columns)]),
      ),
    };
  }

  get<T>(type: Type<T>): T {
    return this.app.get(type, { strict: false });
  }

  importRecords(records: readonly object[]): Promise<unknown> {
    return this.recorder.without(() => importRecords(this.app, records));
  }

  createKey(user_id: number, access: Access): Promise<string> {
    return this.recorder.without(() =>
      access === 'source'
        ? createSourceKey(this.app, user_id)
        : createKey(this.app, user_id, access),
    );
  }

  setPassword(user_id: number, password: string): Promise<unknown> {
    return this.recorder.without(() => this.app.get(SignInService).setPassword(user_id, password));
  }

  erase(email: string): Promise<unknown> {
    return this.recorder.without(() =>
      this.app.get(ErasePersonService).erase(email, null, BY_OPERATOR),
    );
  }

  storedRows(): Promise<Record<string, readonly StoredRow[]>> {
    return this.recorder.without(() => this.readRows());
  }

  private async readRows(): Promise<Record<string, readonly StoredRow[]>> {
    const database = this.app.get(Database);
    const tables = await database.select<{ readonly name: string }>(
      database.dialect.name === 'sqlite'
        ? "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
        : 'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() ORDER BY table_name',
      [],
    );
    const rows: Record<string, readonly StoredRow[]> = {};
    for (const { name } of tables) {
      rows[name] = await database.select<StoredRow>(`SELECT * FROM ${name}`, []);
    }
    return rows;
  }

  statementsDuring(work: () => Promise<unknown>): Promise<readonly string[]> {
    const tables = new Set(this.extension.tables);
    const isOwn = (sql: string) => sql.split(/\W+/).some((word) => tables.has(word));
    return this.recorder.during(work, isOwn);
  }

  async settled(): Promise<void> {
    const limit = performance.now() + SETTLED_WITHIN_MS;
    while (!(await this.recorder.without(() => this.isSettled()))) {
      if (performance.now() > limit) throw new Error('The listeners do not receive the changes.');
      await wait(LOOK_MS);
    }
  }

  async stop(): Promise<void> {
    await this.app.close();
  }

  /** Returns true if each listener of the extension is at the end of each ledger. */
  private async isSettled(): Promise<boolean> {
    if (this.listenerCount === 0) return true;
    const ledgers = await this.app.get(Database).select<{ readonly listeners: number }>(
      `SELECT COUNT(c.listener) AS listeners FROM ledger_revisions r
       LEFT JOIN change_cursors c ON c.vendor_id = r.vendor_id AND c.position >= r.last_sequence
       WHERE r.last_sequence > 0 GROUP BY r.vendor_id`,
      [],
    );
    return ledgers.every(({ listeners }) => listeners >= this.listenerCount);
  }
}
