import { TestLedger } from '../builders/test-ledger.js';
import type { Instance } from '../oracles/same-bodies.js';
import type { Ended } from '../processes/cli.js';
import type { RawRow } from '../sql/raw-connection.js';
import { RunningService, until } from './running-service.js';

type Settings = Readonly<Record<string, string>>;

/** A service with an empty ledger but for a vendor, which is to be filled from an upstream. */
export class MirrorUnderTest {
  /** Of the upstream that was added last. */
  id = 0;

  private constructor(
    readonly ledger: TestLedger,
    readonly vendor: number,
    /** Of the vendor, here. */
    readonly key: string,
    private readonly settings: Settings,
    public service: RunningService,
  ) {}

  /**
   * @param vendor the record of a user, with the id that the vendor has at the upstream
   * @param settings of the upstream, and of a test
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

  /** For the comparison with its upstream. */
  get instance(): Instance {
    return { port: this.service.port, key: this.key };
  }

  /**
   * Adds the upstream of the vendor; the running service begins to read it.
   * @param names such as `service=acme,processor=paymenthouse`
   * @returns its id
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

  /** Reads what there is to read. @returns the upstream then @throws Error where the command failed */
  async run(full = false): Promise<Readonly<Record<string, unknown>>> {
    return jsonOf(await this.tryRun(full));
  }

  /** The same, whatever comes of it. */
  tryRun(full = false): Promise<Ended> {
    return this.command('run', String(this.id), ...(full ? ['--full'] : []), '--json');
  }

  /** A command on upstreams, with the settings of the service. */
  command(...args: string[]): Promise<Ended> {
    return this.ledger.cli(['upstreams', ...args], { env: this.settings });
  }

  /** Its row of the table. */
  async upstream(): Promise<RawRow> {
    const [row] = await this.ledger.rows(`SELECT * FROM upstreams WHERE id = ${this.id}`);
    if (row === undefined) throw new Error(`there is no upstream ${this.id}`);
    return row;
  }

  /** How many single records wait to be read. */
  async waiting(): Promise<number> {
    const from = `FROM upstream_reads WHERE upstream_id = ${this.id}`;
    const [row] = await this.ledger.rows(`SELECT COUNT(*) AS waiting ${from}`);
    return Number(row?.waiting);
  }

  /** Waits until its row is so. */
  async untilUpstream(what: string, holds: (row: RawRow) => boolean): Promise<RawRow> {
    await until(what, async () => holds(await this.upstream()));
    return this.upstream();
  }

  /** Waits until all of time has been read once, and every single record. */
  async untilRead(): Promise<void> {
    await this.untilUpstream('the end of the first run', ({ last_full }) => last_full !== null);
    await until('the end of the single reads', async () => (await this.waiting()) === 0);
  }

  /** Asks for a run, which the service begins within a second. */
  async want(kind: 'recent' | 'full'): Promise<void> {
    const now = "next_try = '2025-01-01 00:00:00'";
    await this.ledger.run(`UPDATE upstreams SET wanted = '${kind}', ${now} WHERE id = ${this.id}`);
  }

  /** Waits until nobody reads, and nothing is left to be read now. */
  async untilIdle(): Promise<void> {
    await this.untilUpstream('the end of reading', ({ claim, run, wanted }) =>
      [claim, run, wanted].every((value) => value === null),
    );
    await until('the end of the single reads', async () => (await this.waiting()) === 0);
    await this.untilUpstream('the end of the turn', ({ claim }) => claim === null);
  }

  /** Has the service read, and waits until it has. */
  async readAgain(kind: 'recent' | 'full'): Promise<void> {
    await this.want(kind);
    await this.untilIdle();
  }

  /** Waits until a day has been read, such as the first ones of a run. */
  async untilDay(day: string): Promise<void> {
    await this.untilUpstream(`the day ${day}`, ({ next_day, last_full }) =>
      next_day === null ? last_full !== null : String(next_day) < day,
    );
  }

  /** Waits until it tells a problem. @returns the problem */
  async untilProblem(pattern = /./): Promise<string> {
    const row = await this.untilUpstream(
      `a problem like ${String(pattern)}`,
      ({ problem }) => problem !== null && pattern.test(String(problem)),
    );
    return String(row.problem);
  }

  /** As if the pauses had passed, and who held the claim were gone. */
  async passTime(): Promise<void> {
    const past = "next_try = '2025-01-01 00:00:00'";
    await this.ledger.run(`UPDATE upstreams SET ${past} WHERE id = ${this.id}`);
    await this.ledger.run(`UPDATE upstream_reads SET ${past} WHERE upstream_id = ${this.id}`);
  }

  async releaseClaim(): Promise<void> {
    await this.ledger.run(`UPDATE upstreams SET claim_ends = NULL WHERE id = ${this.id}`);
  }

  /** Another instance on the same database. */
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

/** The last line that a command printed, which is the upstream. @throws Error unless it succeeded */
function jsonOf({ status, stdout, stderr }: Ended): Readonly<Record<string, unknown>> {
  if (status !== 0) throw new Error(`${String(status)}: ${stdout}${stderr}`);
  const line = stdout.trimEnd().split('\n').at(-1) ?? '';
  return JSON.parse(line) as Record<string, unknown>;
}
