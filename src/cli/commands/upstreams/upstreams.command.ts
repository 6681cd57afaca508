import { Command } from 'commander';
import type { UpstreamChangesService } from '../../../modules/upstreams/registry/upstream-changes.service.js';
import type { ShownUpstream } from '../../../modules/upstreams/upstream.model.js';
import { parseInteger } from '../../options.js';
import { printJson, printLine } from '../../output.js';
import { BY_OPERATOR } from '../../with-service.js';
import { addCommand } from './upstreams-add.command.js';
import { runCommand } from './upstreams-run.command.js';
import { upstreamLinesOf } from './upstream-lines.js';
import { withUpstreams } from './with-upstreams.js';

interface JsonOption {
  readonly json: boolean;
}
type Change = (changes: UpstreamChangesService, id: number) => Promise<ShownUpstream>;

export function upstreamsCommand(): Command {
  return new Command('upstreams')
    .description('other services with this API, from which ledgers of vendors are filled')
    .addCommand(listCommand())
    .addCommand(addCommand())
    .addCommand(runCommand())
    .addCommand(
      changeCommand('pause', 'read nothing until it is resumed', (changes, id) =>
        changes.setState(id, 'paused', BY_OPERATOR),
      ),
    )
    .addCommand(
      changeCommand('resume', 'read again, at once', (changes, id) =>
        changes.setState(id, 'active', BY_OPERATOR),
      ),
    )
    .addCommand(
      changeCommand('remove', 'remove an upstream; what was read stays', (changes, id) =>
        changes.remove(id, BY_OPERATOR),
      ),
    );
}

function listCommand(): Command {
  return new Command('list')
    .description('list the upstreams, without their keys')
    .option('--json', 'print a line of JSON for each', false)
    .action(({ json }: JsonOption) =>
      withUpstreams(async ({ upstreams }) => {
        const all = await upstreams.all();
        for (const upstream of all) printUpstream(upstream, json);
        if (!json && all.length === 0) printLine('There are no upstreams.');
      }),
    );
}

function changeCommand(name: string, description: string, change: Change): Command {
  return new Command(name)
    .description(description)
    .argument('<id>', 'the upstream', parseInteger)
    .option('--json', 'print one line of JSON', false)
    .action((id: number, { json }: JsonOption) =>
      withUpstreams(async ({ changes }) => {
        printUpstream(await change(changes, id), json);
      }),
    );
}

function printUpstream(upstream: ShownUpstream, json: boolean): void {
  if (json) printJson(upstream);
  else for (const line of upstreamLinesOf(upstream)) printLine(line);
}
