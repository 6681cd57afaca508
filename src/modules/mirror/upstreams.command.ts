import type { INestApplicationContext } from '@nestjs/common';
import { MultiBar } from 'cli-progress';
import { Command, InvalidArgumentError } from 'commander';
import { readKeyFile } from '../../platform/commands/key-file.js';
import { type JsonOption, parseDuration, parseInteger } from '../../platform/commands/options.js';
import { print, printList } from '../../platform/commands/output.js';
import { stopSignal } from '../../platform/commands/stop-signal.js';
import { ServiceCommand, withService } from '../../platform/commands/with-service.js';
import { BY_OPERATOR } from '../../platform/values/author.js';
import { shownText } from '../../platform/values/shown-text.js';
import { MirrorReaderService } from './runs/mirror-reader.service.js';
import {
  EVERY_SECONDS,
  type FieldWords,
  monthsReadOf,
  OWN_WORDS,
  progressTextOf,
  type RunKind,
  type ShownUpstream,
} from './upstreams/upstream.model.js';
import { UpstreamsService } from './upstreams/upstreams.service.js';

type Change = (upstreams: UpstreamsService, id: number) => Promise<ShownUpstream>;

export function upstreamsCommand(): Command {
  return new Command('upstreams')
    .description('other services with this API, from which ledgers of vendors are filled')
    .addCommand(listCommand())
    .addCommand(addCommand())
    .addCommand(runCommand())
    .addCommand(
      changeCommand('pause', 'read nothing until it is resumed', (upstreams, id) =>
        upstreams.setState(id, 'paused', BY_OPERATOR),
      ),
    )
    .addCommand(
      changeCommand('resume', 'read again, starting immediately', (upstreams, id) =>
        upstreams.setState(id, 'active', BY_OPERATOR),
      ),
    )
    .addCommand(
      changeCommand('remove', 'remove an upstream; what was read stays', (upstreams, id) =>
        upstreams.remove(id, BY_OPERATOR),
      ),
    );
}

function listCommand(): Command {
  return new ServiceCommand('list')
    .description('list the upstreams, without their keys')
    .option('--json', 'print a line of JSON for each', false)
    .run(async (services, { json }: JsonOption) => {
      const all = await services.get(UpstreamsService).all();
      printList(all, json, upstreamLinesOf, 'There are no upstreams.');
    });
}

function changeCommand(name: string, description: string, change: Change): Command {
  return new ServiceCommand(name)
    .description(description)
    .argument('<id>', 'the upstream', parseInteger)
    .option('--json', 'print one line of JSON', false)
    .run(async (services, id: number, { json }: JsonOption) => {
      print(await change(services.get(UpstreamsService), id), json, upstreamLinesOf);
    });
}

interface AddOptions extends JsonOption {
  readonly vendor?: number;
  readonly url: string;
  readonly keyFile: string;
  readonly names?: FieldWords;
  readonly every?: number;
}

/** Builds `upstreams add`, which never prints the key. */
function addCommand(): Command {
  return new ServiceCommand('add')
    .description('fill the ledger of a vendor from an upstream, starting immediately')
    .option(
      '--vendor <id>',
      'the vendor whose ledger is filled; by default the upstream reports it, and a new user is added',
      parseInteger,
    )
    .requiredOption('--url <url>', 'where the upstream is: https, with a public address')
    .requiredOption('--key-file <file>', 'a file with only its API key; - for standard input')
    .option(
      '--names <names>',
      'its words in place of service and processor, such as service=acme,processor=pay',
      parseNames,
    )
    .option(
      '--every <time>',
      'how often new sales are looked for: 1m to 1d (default: 5m)',
      parseDuration,
    )
    .option('--json', 'print one line of JSON', false)
    .run(runAdd);
}

async function runAdd(services: INestApplicationContext, options: AddOptions): Promise<void> {
  const { vendor, url, keyFile, names, every, json } = options;
  const words = names ?? OWN_WORDS;
  const every_seconds = every ?? EVERY_SECONDS.default;
  const key = await readKeyFile(keyFile);
  const wanted = { url, key, words, every_seconds };
  const upstreams = services.get(UpstreamsService);
  const vendor_id = vendor ?? (await upstreams.ensureOwner(wanted));
  const upstream = await upstreams.add(vendor_id, wanted, BY_OPERATOR);
  const notify_path = await upstreams.notifyPathOf(vendor_id);
  print({ ...upstream, notify_path }, json, () => [
    ...upstreamLinesOf(upstream),
    `Path for notifications: ${notify_path ?? ''}`,
  ]);
}

/** @throws InvalidArgumentError if the text is not a list of names, each given once */
function parseNames(text: string): FieldWords {
  const pairs = text.split(',').map((pair) => /^(service|processor)=(.+)$/.exec(pair) ?? []);
  const words = new Map(pairs.map(([, field, word]) => [field, word]));
  if (words.has(undefined) || words.size < pairs.length) {
    throw new InvalidArgumentError('It must be such as service=acme,processor=pay.');
  }
  return {
    service: words.get('service') ?? OWN_WORDS.service,
    processor: words.get('processor') ?? OWN_WORDS.processor,
  };
}

interface RunOptions extends JsonOption {
  readonly full: boolean;
}

/** Builds `upstreams run`, which reads in this process and waits for the end. */
function runCommand(): Command {
  return new Command('run')
    .description('read an upstream now and show the progress; exit status 1 if there are problems')
    .argument('<id>', 'the upstream', parseInteger)
    .option('--full', 'read everything again, for corrections of old sales', false)
    .option('--json', 'print one line of JSON at the end', false)
    .action((id: number, { full, json }: RunOptions) => {
      const stopped = stopSignal();
      return withService(async (services) => {
        const upstream = await run(
          services.get(MirrorReaderService),
          id,
          full ? 'full' : 'recent',
          stopped,
        );
        print(upstream, json, upstreamLinesOf);
        return upstream.problem === null && upstream.problems.length === 0;
      });
    });
}

async function run(mirror: MirrorReaderService, id: number, kind: RunKind, stopped: AbortSignal) {
  const progress = process.stderr.isTTY ? new ProgressBar() : null;
  try {
    const show = (upstream: ShownUpstream) => {
      progress?.show(upstream);
    };
    return await mirror.run(id, kind, show, stopped);
  } finally {
    // This ends the timer of the progress bar, which would keep the process alive.
    progress?.end();
  }
}

/** Shows a MultiBar of one bar, because it can print lines above itself, unlike a SingleBar. */
class ProgressBar {
  private readonly rate = new ReadRate();
  private readonly bars = new MultiBar({
    format: '{line}',
    // Redraws the bar below a printed line.
    forceRedraw: true,
    // The command ends the bar itself, after the run.
    gracefulExit: false,
  });
  private bar: ReturnType<MultiBar['create']> | null = null;
  private problem: string | null = null;

  show(upstream: ShownUpstream): void {
    const problem = problemLineOf(upstream);
    if (problem !== null && problem !== this.problem) this.bars.log(`${shownText(problem)}\n`);
    this.problem = problem;
    const line = shownText(barLineOf(upstream, this.rate.rateAt(upstream.listed)));
    this.bar ??= this.bars.create(1, 0, { line });
    this.bar.update({ line });
  }

  end(): void {
    // There is no bar if the upstream is unknown.
    if (this.bar === null) return;
    // Flushes lines that are not printed yet.
    this.bars.update();
    this.bars.stop();
  }
}

/** Measures how many transactions a run reads per second, with a monotonic clock. */
export class ReadRate {
  private began: { readonly at: number; readonly listed: number } | null = null;
  private last = 0;

  /** @param now a monotonic time in milliseconds, with any origin */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /**
   * @param listed number of transactions that the run has read so far; a new run begins at 0 again
   */
  rateAt(listed: number): number {
    const at = this.now();
    if (this.began === null) this.began = { at, listed };
    else if (listed < this.last) this.began = { at, listed: 0 };
    this.last = listed;
    const { at: since, listed: before } = this.began;
    return Math.round(((listed - before) * 1_000) / Math.max(1, at - since));
  }
}

const BAR_CELLS = 10;
/** Width that fits a terminal of 80 columns. */
const MAX_COLUMNS = 79;

/** Returns a line for the upstream, and a line for each kind of its problems. */
export function upstreamLinesOf(upstream: ShownUpstream): string[] {
  return [
    upstreamLineOf(upstream),
    ...upstream.problems.map(({ kind, count, example }) => {
      const first = example === null ? '' : `; first: ${example}`;
      return `  ${shown(count)} × ${kind}${first}`;
    }),
  ];
}

function upstreamLineOf(upstream: ShownUpstream): string {
  const { id, vendor_id, url, state, listed, waiting, missing } = upstream;
  const parts = [
    `Upstream ${id} of user ${vendor_id}: ${url}, ${state}`,
    progressTextOf(upstream),
    `${shown(listed)} transactions read, ${shown(waiting)} waiting, ${shown(missing)} missing`,
    ...paymentsOf(upstream),
    ...nextRunOf(upstream),
  ];
  const problem = problemLineOf(upstream);
  return [...parts, ...(problem === null ? [] : [problem])].join('; ');
}

/** Returns the reason why the upstream cannot be read, or null if it can. */
function problemLineOf({ problem, failures }: ShownUpstream): string | null {
  if (problem === null) return null;
  return failures > 0 ? `${failures} failed in a row: ${problem}` : `problem: ${problem}`;
}

/**
 * Returns the line of a progress bar.
 * @param rate transactions per second
 */
export function barLineOf(upstream: ShownUpstream, rate: number): string {
  const { listed, waiting } = upstream;
  const counts = `${shown(listed)} read, ${shown(rate)}/s, ${shown(waiting)} waiting`;
  return `${progressTextOf(upstream)}${barOf(upstream)} ${counts}`.slice(0, MAX_COLUMNS);
}

function barOf(upstream: ShownUpstream): string {
  const months = monthsReadOf(upstream);
  if (months === null) return ',';
  const full = Math.floor((BAR_CELLS * months.done) / months.all);
  return ` [${'='.repeat(full)}${'-'.repeat(BAR_CELLS - full)}]`;
}

/** Returns the progress of checking the subscriptions again. */
function paymentsOf({ last_payments, payments_seen, payments_total }: ShownUpstream): string[] {
  if (last_payments === null) return [];
  if (payments_seen >= payments_total) return [`recurring payments checked ${last_payments} UTC`];
  return [`${shown(payments_seen)} of ${shown(payments_total)} recurring payments checked`];
}

function nextRunOf({ state, run, wanted, next_try, failures }: ShownUpstream): string[] {
  if (state === 'paused') return [];
  if (failures > 0) return [`next try ${next_try} UTC`];
  return run === null && wanted === null ? [`next run ${next_try} UTC`] : [];
}

function shown(count: number): string {
  return count.toLocaleString('en');
}
