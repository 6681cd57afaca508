import type { EntityManager } from 'typeorm';
import {
  Database,
  type Reader,
  type Session,
  type SqlValue,
} from '../../../src/database/database.js';
import type { TestService } from '../servers/service.js';

export interface Statement {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** Notes every statement that a running service sends to its database, and changes none. */
export class StatementLog {
  private noted: Statement[] = [];

  constructor(service: TestService) {
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

  /** What was sent while `work` was done, look-ups of keys included. */
  async allDuring(work: () => Promise<unknown>): Promise<readonly Statement[]> {
    this.noted = [];
    await work();
    return this.noted.filter((statement) => !isLookAtCancels(statement) && !isLookAtDue(statement));
  }

  /** The same without the look-up of the key, which a busy key costs once a second. */
  async during(work: () => Promise<unknown>): Promise<readonly Statement[]> {
    return (await this.allDuring(work)).filter((statement) => !isKeyLookUp(statement));
  }

  /** What TypeORM sends has its names in quotation marks. */
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
      ...{ dialect: session.dialect, manager: session.manager },
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

/** Once a second each process looks for webhooks to send, and for upstreams to read from. */
function isLookAtDue({ sql }: Statement): boolean {
  return /FROM (webhook_endpoints|upstreams) e\b/.test(sql);
}

/** Every 2 seconds each process looks for cancels that wait: nobody's request asks for it. */
function isLookAtCancels({ sql }: Statement): boolean {
  return /^SELECT .* FROM recurring_cancels .*\b(tries > 0|next_try (<=|IS NULL))/s.test(sql);
}

/** The tables that a statement names, in the order of the alphabet. */
export function tablesOf({ sql }: Statement): string[] {
  const named = sql.matchAll(/\b(?:FROM|JOIN|INTO|UPDATE)\s+([a-z_]+)/g);
  return [...new Set(Array.from(named, ([, table = '']) => table))].sort();
}
