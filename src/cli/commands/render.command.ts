import { SingleBar } from 'cli-progress';
import { Command } from 'commander';
import { RenderingService } from '../../modules/transactions/rendered/rendering.service.js';
import { printLine } from '../output.js';
import { withService } from '../with-service.js';

/** Builds `render`, which makes lists of older transactions as fast as those of new ones. */
export function renderCommand(): Command {
  return new Command('render')
    .description(
      'store the JSON of transactions that an older version imported; can be interrupted',
    )
    .action(() =>
      withService(async (services) => {
        const bar = process.stderr.isTTY ? startBar() : null;
        const { checked, rendered } = await services
          .get(RenderingService)
          .renderOutdated(({ checked, total }) => {
            bar?.setTotal(total);
            bar?.update(Math.min(checked, total));
          })
          .finally(() => bar?.stop());
        printLine(`Rendered ${rendered} of ${checked} transactions; the others were up to date.`);
        return 0;
      }),
    );
}

function startBar(): SingleBar {
  const bar = new SingleBar({
    format: '[{bar}] {percentage}% | {value} of {total} | {eta_formatted} left',
    barsize: 20,
  });
  bar.start(0, 0);
  return bar;
}
