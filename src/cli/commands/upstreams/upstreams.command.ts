import { Command } from 'commander';
import { BY_OPERATOR } from '../../../modules/audit/audit.model.js';
import { UpstreamChangesService } from '../../../modules/upstreams/registry/upstream-changes.service.js';
import { UpstreamsService } from '../../../modules/upstreams/registry/upstreams.service.js';
import type { ShownUpstream } from '../../../modules/upstreams/upstream.model.js';
import { parseInteger, type JsonOption } from '../../options.js';
import { print, printList } from '../../output.js';
import { withService } from '../../with-service.js';
import { addCommand } from './upstreams-add.command.js';
import { runCommand } from './upstreams-run.command.js';
import { upstreamLinesOf } from './upstream-lines.js';

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
      changeCommand('resume', 'read again, starting immediately', (changes, id) =>
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
      withService(async (services) => {
        const all = await services.get(UpstreamsService).all();
        printList(all, json, upstreamLinesOf, 'There are no upstreams.');
      }),
    );
}

function changeCommand(name: string, description: string, change: Change): Command {
  return new Command(name)
    .description(description)
    .argument('<id>', 'the upstream', parseInteger)
    .option('--json', 'print one line of JSON', false)
    .action((id: number, { json }: JsonOption) =>
      withService(async (services) => {
        print(await change(services.get(UpstreamChangesService), id), json, upstreamLinesOf);
      }),
    );
}
