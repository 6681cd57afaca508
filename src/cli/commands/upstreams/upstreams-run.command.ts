import { Command } from 'commander';
import type { MirrorService } from '../../../modules/mirror/runs/mirror.service.js';
import type { RunKind, ShownUpstream } from '../../../modules/upstreams/upstream.model.js';
import { parseInteger } from '../../options.js';
import { printJson, printLine } from '../../output.js';
import { stopSignal } from '../../stop-signal.js';
import { progressOf } from './run-progress.js';
import { upstreamLinesOf } from './upstream-lines.js';
import { withUpstreams } from './with-upstreams.js';

interface RunOptions {
  readonly full: boolean;
  readonly json: boolean;
}

/** Builds `upstreams run`, which reads in this process and waits for the end. */
export function runCommand(): Command {
  return new Command('run')
    .description('read what there is to read now, and show the progress; 1 if there are problems')
    .argument('<id>', 'the upstream', parseInteger)
    .option('--full', 'read everything again, for corrections of old sales', false)
    .option('--json', 'print one line of JSON at the end', false)
    .action((id: number, { full, json }: RunOptions) => {
      const stopped = stopSignal();
      return withUpstreams(async ({ mirror }) => {
        const upstream = await run(mirror, id, full ? 'full' : 'recent', stopped);
        if (json) printJson(upstream);
        else for (const line of upstreamLinesOf(upstream)) printLine(line);
        return upstream.problem === null && upstream.problems.length === 0;
      });
    });
}

async function run(
  mirror: MirrorService,
  id: number,
  kind: RunKind,
  stopped: AbortSignal,
): Promise<ShownUpstream> {
  const progress = progressOf();
  try {
    const show = (upstream: ShownUpstream) => {
      progress.show(upstream);
    };
    return await mirror.run(id, kind, show, stopped);
  } finally {
    // This ends the timer of the progress bar, which would keep the process alive.
    progress.end();
  }
}
