import { TestLedger } from '../builders/test-ledger.js';
import type { Instance } from '../oracles/same-bodies.js';
import type { Ended } from '../processes/cli.js';
import type { RawRow } from '../sql/raw-connection.js';
import { RunningService, until } from './running-service.js';

type Settings = Readonly<Record<string, string>>;

/** A service whose ledger has only a vendor and is to be filled from an upstream. */
export class MirrorUnderTest {
  /** Id of the upstream that was added last. */
  id = 0;

  private constructor(
    readonly ledger: TestLedger,
    readonly vendor: number,
    /** The vendor's key for this service. */
    readonly key: string,
    private readonly settings: Settings,
    public service: RunningService,
  ) {}

  /**
   * @param vendor the record of a user, with the id that the vendor has at the upstream
   * @param settings those of the upstream and of the test
   */
  static async start(
    vendor: { readonly id: number } & object,
    settings: Settings,
    workers = 1,
  ): Promise<MirrorUnderTest> {
    const ledger = await TestLedger.create();
    await ledger.mustImport([vendor]);
    const key = await ledger.key(vendor.id);
    const service = await RunningService.start(ledger, workers, settings);
    return new MirrorUnderTest(ledger, vendor.id, key, settings, service);
  }

  /** Port and key for the comparison with the upstream. */
  get instance(): Instance {
    return { port: this.service.port, key: this.key };
  }

  /**
   * Adds an upstream for the vendor. The running service begins to read it.
   * @param names the upstream's words in names of fields, such as
   * `service=acme,processor=paymenthouse`
   * @returns the id of the upstream
   */
  async add(url: string, key: string, names?: string): Promise<number> {
    const file = this.ledger.file('upstream-key', `${key}\n`);
    const vendor = String(this.vendor);
    const options = ['--vendor', vendor, '--url', url, '--key-file', file, '--json'];
    const added = await this.command(
      'add',
      ...options,
      ...(names === undefined ? [] : ['--names', names]),
    );
    this.id = Number(jsonOf(added).id);
    return this.id;
  }

  /**
   * Reads everything that is due.
   * @returns the upstream after the run
   * @throws Error if the command fails
   */
  async run(full = false): Promise<Readonly<Record<string, unknown>>> {
    return jsonOf(await this.tryRun(full));
  }

  /** Reads everything that is due, and returns the result even if the command fails. */
  tryRun(full = false): Promise<Ended> {
    return this.command('run', String(this.id), ...(full ? ['--full'] : []), '--json');
  }

  /** Runs an `upstreams` command with the settings of the service. */
  command(...args: string[]): Promise<Ended> {
    return this.ledger.cli(['upstreams', ...args], { env: this.settings });
  }

  /** Returns the row of the upstream. */
  async upstream(): Promise<RawRow> {
    const [row] = await this.ledger.rows(`SELECT * FROM upstreams WHERE id = ${this.id}`);
    if (row === undefined) throw new Error(`there is no upstream ${this.id}`);
    return row;
  }

  /** Returns the number of single records that wait to be read. */
  async waiting(): Promise<number> {
    const from = `FROM upstream_reads WHERE upstream_id = ${this.id}`;
    const [row] = await this.ledger.rows(`SELECT COUNT(*) AS waiting ${from}`);
    return Number(row?.waiting);
  }

  /** Waits until the row of the upstream fulfills a condition. */
  async untilUpstream(what: string, holds: (row: RawRow) => boolean): Promise<RawRow> {
    await until(what, async () => holds(await this.upstream()));
    return this.upstream();
  }

  /** Waits until every day and every single record has been read once. */
  async untilRead(): Promise<void> {
    await this.untilUpstream('the end of the first run', ({ last_full }) => last_full !== null);
    await until('the end of the single reads', async () => (await this.waiting()) === 0);
  }

  /** Requests a run. The service begins it within a second. */
  async want(kind: 'recent' | 'full'): Promise<void> {
    const now = "next_try = '2025-01-01 00:00:00'";
    await this.ledger.run(`UPDATE upstreams SET wanted = '${kind}', ${now} WHERE id = ${this.id}`);
  }

  /** Waits until no run is active or requested, and no single record waits to be read. */
  async untilIdle(): Promise<void> {
    await this.untilUpstream('the end of reading', ({ claim, run, wanted }) =>
      [claim, run, wanted].every((value) => value === null),
    );
    await until('the end of the single reads', async () => (await this.waiting()) === 0);
    await this.untilUpstream('the end of the turn', ({ claim }) => claim === null);
  }

  /** Requests a run and waits until it has ended. */
  async readAgain(kind: 'recent' | 'full'): Promise<void> {
    await this.want(kind);
    await this.untilIdle();
  }

  /** Waits until a day has been read. Runs read the newest days first. */
  async untilDay(day: string): Promise<void> {
    await this.untilUpstream(`the day ${day}`, ({ next_day, last_full }) =>
      next_day === null ? last_full !== null : String(next_day) < day,
    );
  }

  /**
   * Waits until the upstream reports a problem.
   * @returns the problem
   */
  async untilProblem(pattern = /./): Promise<string> {
    const row = await this.untilUpstream(
      `a problem like ${String(pattern)}`,
      ({ problem }) => problem !== null && pattern.test(String(problem)),
    );
    return String(row.problem);
  }

  /** Ends all pauses, so that everything is due now. */
  async passTime(): Promise<void> {
    const past = "next_try = '2025-01-01 00:00:00'";
    await this.ledger.run(`UPDATE upstreams SET ${past} WHERE id = ${this.id}`);
    await this.ledger.run(`UPDATE upstream_reads SET ${past} WHERE upstream_id = ${this.id}`);
  }

  async releaseClaim(): Promise<void> {
    await this.ledger.run(`UPDATE upstreams SET claim_ends = NULL WHERE id = ${this.id}`);
  }

  /** Starts another instance on the same database. */
  another(workers = 1): Promise<RunningService> {
    return RunningService.start(this.ledger, workers, this.settings);
  }

  /** Kills the instance and starts another one. */
  async restart(): Promise<void> {
    await this.service.kill();
    this.service = await this.another();
  }

  async stop(): Promise<void> {
    await this.service.kill();
    await this.ledger.drop();
  }
}

/**
 * Parses the upstream, which is the last line that a command printed.
 * @throws Error if the command failed
 */
function jsonOf({ status, stdout, stderr }: Ended): Readonly<Record<string, unknown>> {
  if (status !== 0) throw new Error(`${String(status)}: ${stdout}${stderr}`);
  const line = stdout.trimEnd().split('\n').at(-1) ?? '';
  return JSON.parse(line) as Record<string, unknown>;
}
