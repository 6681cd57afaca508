import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { CommandHost } from '../../runtime/command-hosts.mjs';
import { cliEnvironment, type Ended } from '../processes/cli.js';
import { basic, send, type Answer, type Request } from '../http/http.js';
import { RunningService } from './running-service.js';
import type { TestLedger } from '../builders/test-ledger.js';

/**
 * The compiler emits this fallback for each constructor parameter, in case its type does not exist
 * at run time.
 */
const OF_COMPILER = '? Object';
/** URL of the folder of the bundle. */
const BUILT = pathToFileURL('dist/').href;
const PRELOAD = `--import=${pathToFileURL('test/support/sql/record-statements.mjs').href}`;

/**
 * The service sends this statement without a request, at any moment, to a database host that seemed
 * silent, as happens on a busy machine.
 */
const IS_HOST_WELL = 'SELECT MAX(vendor_id) FROM ledger_revisions';
export const HEALTH = 'health and metrics';
/** The service looks by itself for cancellations that the processor has not confirmed. */
const OF_WAITING =
  /FROM recurring_cancels\s+(RecurringCancel )?WHERE \(*(RecurringCancel\.)?(ends|tries)/;
export const WAITING_CANCELS = 'cancels that wait';
/** The service looks by itself for webhooks and upstreams that are due. */
const DUE_WEBHOOKS = 'webhooks that are due';
const DUE_UPSTREAMS = 'upstreams that are due';
/** The service writes and deletes the log of personal data reads in the background. */
const OF_READS =
  /^(INSERT INTO|DELETE FROM) personal_reads|^SELECT (MIN|r\.read_at AS read_at FROM).* personal_reads/;
/** The service checks daily for personal data whose retention time has passed. */
const OF_RULES = 'FROM retention_rules RetentionRule ORDER BY';
const OLD_DATA = 'personal data that had its time';
const PERSONAL_READS = 'reads of personal data';
/** The service counts the interrupted erasures once a minute. */
const OF_ERASURES = 'COUNT(1) AS cnt FROM erased_people';
const INTERRUPTED = 'erasures that were interrupted';
/** The service deletes expired confirmation tokens hourly, for the first time soon after its start. */
const OF_CONFIRMATIONS = /^DELETE FROM mcp_used_tokens\s+WHERE \(*expires/;
const USED_CONFIRMATIONS = 'confirmation tokens that expired';

/** A statement as the database driver received it, and the work that it was sent for. */
export interface SentStatement {
  readonly work: string;
  readonly sql: string;
}

/**
 * The built service and its commands. They record each statement that they send, and which code
 * ran.
 */
export class RecordedService {
  private readonly statementsFile: string;
  private readonly coverage: string;
  private readonly commands: CommandHost;
  private service: RunningService | undefined;

  /** @param settings those of the service and its commands, and of their Node.js processes */
  constructor(
    readonly ledger: TestLedger,
    private readonly settings: Readonly<Record<string, string>>,
  ) {
    const { folder } = ledger.database;
    this.statementsFile = join(folder, 'statements');
    this.coverage = join(folder, 'coverage');
    mkdirSync(this.coverage);
    this.commands = new CommandHost(this.recording);
  }

  async start(env: Readonly<Record<string, string>> = {}): Promise<void> {
    const recorded = { ...this.recording, TEST_WORK: 'start', ...env };
    this.service = await RunningService.start(this.ledger, 1, recorded);
  }

  /**
   * Sends a request.
   * @param work the name of an operation, or of an action of a page
   */
  send(work: string, request: Request): Promise<Answer> {
    const { service } = this;
    if (service === undefined) throw new Error('the service was not started');
    const headers = { ...request.headers, 'X-Test-Work': work };
    return send(service.port, { ...request, headers });
  }

  get(work: string, path: string, key: string, more: Record<string, string> = {}): Promise<Answer> {
    return this.send(work, { path, headers: { ...basic(key), ...more } });
  }

  put(work: string, path: string, key: string, body: object): Promise<Answer> {
    const headers = { ...basic(key), 'Content-Type': 'application/json' };
    return this.send(work, { method: 'PUT', path, headers, body: JSON.stringify(body) });
  }

  /** Runs a command. The command's name is recorded as its work. */
  command(
    args: readonly string[],
    input: Buffer | string = '',
    settings: Readonly<Record<string, string>> = {},
  ): Promise<Ended> {
    const name =
      args[0] === 'import' || args[0] === 'verify' ? args[0] : args.slice(0, 2).join(' ');
    const env = {
      ...cliEnvironment(this.ledger.database.url),
      ...this.recording,
      TEST_WORK: name,
      ...settings,
    };
    return this.commands.run(args, env, input);
  }

  /** Port of the health checks and metrics. */
  get managementPort(): number {
    const [line = ''] = this.service?.lines(/Health and metrics on/) ?? [];
    return Number(/on http:\/\/[\d.]+:(\d+)/.exec(line)?.[1]);
  }

  /** Stops the service and its commands gracefully, so that their records are complete. */
  async stop(): Promise<void> {
    await this.commands.end();
    if (this.service === undefined) return;
    process.kill(this.service.pid, 'SIGTERM');
    await this.service.ended;
    this.service = undefined;
  }

  statements(): SentStatement[] {
    const lines = readFileSync(this.statementsFile, 'utf8').trimEnd().split('\n');
    return lines.map((line) => {
      const statement = JSON.parse(line) as SentStatement;
      if (statement.sql === IS_HOST_WELL) return { ...statement, work: HEALTH };
      if (statement.sql.includes('FROM webhook_endpoints e'))
        return { ...statement, work: DUE_WEBHOOKS };
      if (statement.sql.includes('FROM upstreams e')) return { ...statement, work: DUE_UPSTREAMS };
      if (statement.sql.includes(OF_ERASURES)) return { ...statement, work: INTERRUPTED };
      if (OF_CONFIRMATIONS.test(statement.sql)) return { ...statement, work: USED_CONFIRMATIONS };
      if (OF_READS.test(statement.sql)) return { ...statement, work: PERSONAL_READS };
      if (statement.sql.includes(OF_RULES) && !statement.work.startsWith('retention')) {
        return { ...statement, work: OLD_DATA };
      }
      return OF_WAITING.test(statement.sql) ? { ...statement, work: WAITING_CANCELS } : statement;
    });
  }

  /** Returns the parts of modules that no process ran, each as one line of code. */
  neverRun(isMeant: (file: string) => boolean): string[] {
    return partsNeverRun(this.coverage, isMeant);
  }

  private get recording(): Record<string, string> {
    return {
      ...this.settings,
      TEST_STATEMENTS: this.statementsFile,
      NODE_V8_COVERAGE: this.coverage,
      NODE_OPTIONS: PRELOAD,
    };
  }
}

interface CoveredFile {
  readonly url: string;
  readonly functions: readonly {
    readonly ranges: readonly {
      readonly startOffset: number;
      readonly endOffset: number;
      readonly count: number;
    }[];
  }[];
}

function partsNeverRun(folder: string, isMeant: (file: string) => boolean): string[] {
  return [...offsetsRun(folder)].flatMap(([path, ran]) => {
    const code = readFileSync(path, 'utf8');
    return modulesOf(code)
      .filter(({ file }) => isMeant(file))
      .flatMap((module) => partsOf(module, code, ran));
  });
}

/** Returns, by the path of a built file, 1 for each character that a process ran, else 0. */
function offsetsRun(folder: string): Map<string, Uint8Array> {
  const ran = new Map<string, Uint8Array>();
  for (const name of readdirSync(folder)) {
    const text = readFileSync(join(folder, name), 'utf8');
    const { result } = JSON.parse(text) as { readonly result: readonly CoveredFile[] };
    for (const file of result) {
      if (!file.url.startsWith(BUILT)) continue;
      const path = fileURLToPath(file.url);
      const here = offsetsRunIn(file);
      const before = ran.get(path) ?? here;
      ran.set(
        path,
        here.map((isRun, at) => isRun | (before[at] ?? 0)),
      );
    }
  }
  return ran;
}

function offsetsRunIn({ functions }: CoveredFile): Uint8Array {
  const ranges = functions.flatMap((each) => each.ranges);
  const here = new Uint8Array(ranges.reduce((end, { endOffset }) => Math.max(end, endOffset), 0));
  // Nested ranges come after the range that contains them.
  for (const { startOffset, endOffset, count } of ranges) {
    here.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  }
  return here;
}

interface ModuleInBundle {
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

/** Finds the modules of a bundle: the bundler writes the name of each module above its code. */
function modulesOf(code: string): ModuleInBundle[] {
  const names = [...code.matchAll(/^\/\/ ((?:src|scripts|node_modules)\/\S+)$/gm)];
  return names.map(({ index, 1: file = '' }, at) => {
    return { file, start: index, end: names[at + 1]?.index ?? code.length };
  });
}

function partsOf({ file, start, end }: ModuleInBundle, code: string, ran: Uint8Array): string[] {
  const parts: string[] = [];
  let part = '';
  for (let at = start; at <= end; at += 1) {
    if (at < end && ran[at] === 0) {
      part += code[at] ?? '';
    } else if (part !== '') {
      const line = part.replaceAll(/\s+/g, ' ').trim();
      if (/\w/.test(line) && line !== OF_COMPILER) parts.push(`${basename(file)}: ${line}`);
      part = '';
    }
  }
  return parts;
}
