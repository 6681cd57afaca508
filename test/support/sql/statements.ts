import type { EntityManager } from 'typeorm';
import {
  Database,
  type Reader,
  type Session,
  type SqlValue,
} from '../../../src/platform/database/database.js';
import { InstalledFeatures } from '../../../src/feature.js';
import type { TestService } from '../servers/service.js';

export interface Statement {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** Records every statement that a running service sends to its database. It changes none. */
export class StatementLog {
  private noted: Statement[] = [];

  private constructor(service: TestService) {
    const database = service.app.get(Database);
    this.note(database.manager);
    const select = database.select.bind(database);
    database.select = <Row extends object>(sql: string, values: readonly SqlValue[]) => {
      this.noted.push({ sql, values });
      return select<Row>(sql, values);
    };
    const readSnapshot = database.readSnapshot.bind(database);
    database.readSnapshot = (isRecent, work) =>
      readSnapshot(isRecent, (snapshot) => work(this.notingReader(snapshot)));
    const write = database.write.bind(database);
    database.write = (work) => write((session) => work(this.noting(session)));
  }

  /**
   * Creates a log after it has stopped the service's background jobs, which could send statements
   * at any moment.
   */
  static async of(service: TestService): Promise<StatementLog> {
    const { jobs } = service.app.get(InstalledFeatures);
    for (const job of jobs) await service.app.get(job).beforeApplicationShutdown();
    return new StatementLog(service);
  }

  /** Returns the statements sent during `work`, including key look-ups. */
  async allDuring(work: () => Promise<unknown>): Promise<readonly Statement[]> {
    this.noted = [];
    await work();
    return this.noted;
  }

  /**
   * Returns the statements sent during `work`, without key look-ups: a key in use is looked up once
   * a second.
   */
  async during(work: () => Promise<unknown>): Promise<readonly Statement[]> {
    return (await this.allDuring(work)).filter((statement) => !isKeyLookUp(statement));
  }

  /** Records TypeORM's statements without the quotes around names. */
  private note({ dataSource }: EntityManager): void {
    dataSource.logger.logQuery = (sql, values: SqlValue[] = []) => {
      this.noted.push({ sql: sql.replaceAll(/[`"]/g, ''), values });
    };
  }

  private notingReader(reader: Reader): Reader {
    return {
      select: <Row extends object>(sql: string, values: readonly SqlValue[]) => {
        this.noted.push({ sql, values });
        return reader.select<Row>(sql, values);
      },
    };
  }

  private noting(session: Session): Session {
    this.note(session.manager);
    return {
      dialect: session.dialect,
      manager: session.manager,
      ...this.notingReader(session),
      run: (sql, values) => {
        this.noted.push({ sql, values });
        return session.run(sql, values);
      },
      onEnd: (effect) => {
        session.onEnd(effect);
      },
    };
  }
}

export function isKeyLookUp(statement: Statement): boolean {
  return tablesOf(statement).includes('api_keys');
}

/** Returns the tables that a statement names, in alphabetical order. */
export function tablesOf({ sql }: Statement): string[] {
  const named = sql.matchAll(/\b(?:FROM|JOIN|INTO|UPDATE)\s+([a-z_]+)/g);
  return [...new Set(Array.from(named, ([, table = '']) => table))].sort();
}
