import { Command } from 'commander';
import { MirrorService } from '../../../modules/mirror/runs/mirror.service.js';
import type { RunKind, ShownUpstream } from '../../../modules/upstreams/upstream.model.js';
import { parseInteger, type JsonOption } from '../../options.js';
import { print } from '../../output.js';
import { stopSignal } from '../../stop-signal.js';
import { withService } from '../../with-service.js';
import { progressOf } from './run-progress.js';
import { upstreamLinesOf } from './upstream-lines.js';

interface RunOptions extends JsonOption {
  readonly full: boolean;
}

/** Builds `upstreams run`, which reads in this process and waits for the end. */
export function runCommand(): Command {
  return new Command('run')
    .description('read an upstream now and show the progress; exit status 1 if there are problems')
    .argument('<id>', 'the upstream', parseInteger)
    .option('--full', 'read everything again, for corrections of old sales', false)
    .option('--json', 'print one line of JSON at the end', false)
    .action((id: number, { full, json }: RunOptions) => {
      const stopped = stopSignal();
      return withService(async (services) => {
        const upstream = await run(
          services.get(MirrorService),
          id,
          full ? 'full' : 'recent',
          stopped,
        );
        print(upstream, json, upstreamLinesOf);
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
