import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { findService } from '../find-service.js';
import {
  loadHost,
  type Declaration,
  type Host,
  type Provided,
  type StartedService,
} from '../host.js';
import type { Access } from '../ledger/access-row.js';
import { ServiceClient } from './client.js';
import type { Answer } from './http.js';
import { Visitor } from './visitor.js';

const SECRET = 'a secret of the tests, long enough for a check';
/** Environment variable that names the file to which a command writes its statements. */
const STATEMENTS = 'VENDOR_REPORTING_STATEMENTS';

export interface TestServiceOptions {
  /**
   * Folder of the extension, with its package.json, or its declaration. A service with a
   * declaration alone runs no commands.
   */
  readonly extension: string | Declaration;
  /** Settings by name, in addition to those of the tests. */
  readonly environment?: Readonly<Record<string, string>>;
  /** URL of an empty MySQL or MariaDB database. By default the service has a SQLite file. */
  readonly databaseUrl?: string;
}

/** Output and exit status of a command. */
export interface Ended {
  /** Exit status, or null if a signal ended the command. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The service with one extension, in this process, on a free port, with a database of its own. */
export class TestService extends ServiceClient {
  /** SQL of the statements of commands while statementsDuring records them; null otherwise. */
  private statements: string[] | null = null;

  private constructor(
    /** The service itself, for the checks of this package. */
    readonly started: StartedService,
    private readonly folder: string,
    private readonly environment: Readonly<Record<string, string>>,
    private readonly extension: string | null,
  ) {
    super();
  }

  /**
   * Starts the service. It stores everything in a temporary folder, or in the given database.
   * @param host the loaded service; found by findService by default
   * @throws Error if the service or the extension does not start
   */
  static async start(
    { extension, environment = {}, databaseUrl }: TestServiceOptions,
    host?: Host,
  ): Promise<TestService> {
    const folder = mkdtempSync(join(tmpdir(), 'vendor-reporting-test-'));
    const settings = {
      NODE_ENV: 'test',
      DATABASE_URL: databaseUrl ?? `sqlite:${join(folder, 'ledger.sqlite')}`,
      ERASURES_FILE: join(folder, 'erasures.ndjson'),
      KEY_ENCRYPTION_SECRET: SECRET,
      LOG_LEVEL: 'error',
      THROTTLE_LIMITS: 'off',
      MANAGEMENT_PORT: 'off',
      // On a busy machine a statement may take longer than the default limit of one second.
      DATABASE_STATEMENT_MS: '20000',
      ...environment,
    };
    const source = typeof extension === 'string' ? resolve(extension) : extension;
    try {
      const loaded = host ?? (await loadHost());
      const started = await loaded.startService({ extension: source, environment: settings });
      const path = typeof source === 'string' ? source : null;
      return new TestService(started, folder, settings, path);
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  get port(): number {
    return this.started.port;
  }

  /** Injects classes of the service, as `vendor-reporting-api/extension` has them, and of the extension. */
  get services(): { get<T>(type: Provided<T>): T } {
    return this.started;
  }

  /**
   * Imports records of the ledger, such as those of `user`, `product` and `transaction`.
   * @throws Error with every rejected record
   */
  async import(records: readonly object[]): Promise<void> {
    await this.started.importRecords(records);
  }

  /** Creates an API application for a user in the ledger, and returns its key. */
  key(user_id: number, access: Access = 'full'): Promise<string> {
    return this.started.createKey(user_id, access);
  }

  async setPassword(user_id: number, password: string): Promise<void> {
    await this.started.setPassword(user_id, password);
  }

  /**
   * Signs in a user of `user(id)`, whose e-mail address is `userID@example.test`, with a password
   * that it sets.
   */
  signIn(user_id: number): Promise<Visitor> {
    return Visitor.signedIn(this, user_id);
  }

  /** Returns an account page as a user sees it. */
  async page(path: string, user_id: number): Promise<Answer> {
    const visitor = await this.signIn(user_id);
    return visitor.get(path);
  }

  /** Erases the personal data of a customer at all vendors, as the command `people erase` does. */
  async erase(email: string): Promise<void> {
    await this.started.erase(email);
  }

  /** Waits until the listeners of the extension have received all changes. */
  settled(): Promise<void> {
    return this.started.settled();
  }

  /**
   * Runs a command of the service or of the extension, in a process of its own.
   * @throws Error if the service was started with a declaration
   */
  async run(command: string, args: readonly string[] = [], input = ''): Promise<Ended> {
    if (this.extension === null) throw new Error('Commands need the folder of the extension.');
    const dist = join(findService(), 'dist');
    const file = join(this.folder, 'statements');
    const record = this.statements === null ? [] : ['--import', join(dist, 'testing-host.js')];
    const child = spawn(process.execPath, [...record, join(dist, 'cli.js'), command, ...args], {
      cwd: this.folder,
      env: {
        ...process.env,
        ...this.environment,
        NODE_OPTIONS: '',
        EXTENSIONS: this.extension,
        [STATEMENTS]: record.length === 0 ? '' : file,
      },
    });
    // A command that ends before it has read its input closes its end of the pipe.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    const ended = new Promise<number | null>((done, fail) => {
      child.on('error', fail);
      child.on('close', done);
    });
    const [status, stdout, stderr] = await Promise.all([
      ended,
      text(child.stdout),
      text(child.stderr),
    ]);
    this.statements?.push(...statementsIn(file));
    return { status, stdout, stderr };
  }

  /** Returns the SQL of each statement of the service and of its commands during `work`. */
  async statementsDuring(work: () => Promise<unknown>): Promise<readonly string[]> {
    this.statements = [];
    const own = await this.started.statementsDuring(work);
    const all = [...own, ...this.statements];
    this.statements = null;
    return [...new Set(all)];
  }

  /** Stops the service and deletes its files. A given database keeps its tables. */
  async stop(): Promise<void> {
    await this.started.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function statementsIn(file: string): string[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => String(JSON.parse(line)));
}
