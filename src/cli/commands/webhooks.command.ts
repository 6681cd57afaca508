import { Command, Option } from 'commander';
import {
  countOfChanges,
  DELIVERY_BYTES,
  sequencesOf,
  type EndpointWithSecret,
  type ShownEndpoint,
} from '../../modules/webhooks/webhook.model.js';
import { integerParser, parseDay, parseInteger } from '../options.js';
import { printJson, printLine } from '../output.js';
import { deliveryLineOf, endpointLineOf } from '../webhook-lines.js';
import { BY_OPERATOR } from '../with-service.js';
import { withWebhooks } from '../with-webhooks.js';
import type { WebhookChangesService } from '../../modules/webhooks/endpoints/webhook-changes.service.js';

interface JsonOption {
  readonly json: boolean;
}
interface AddOptions extends JsonOption {
  readonly vendor: number;
  readonly url: string;
  readonly from: 'now' | 'beginning';
  readonly maxBytes?: number;
}

const parseSize = integerParser(DELIVERY_BYTES);

export function webhooksCommand(): Command {
  return new Command('webhooks')
    .description('webhook endpoints, where vendors receive changes')
    .addCommand(listCommand())
    .addCommand(addCommand())
    .addCommand(showCommand())
    .addCommand(secretCommand())
    .addCommand(
      changeCommand('pause', 'send nothing until it is resumed', (changes, vendor, id) =>
        changes.edit(vendor, id, { state: 'paused' }, BY_OPERATOR),
      ),
    )
    .addCommand(
      changeCommand('resume', 'send again, at once', (changes, vendor, id) =>
        changes.edit(vendor, id, { state: 'active' }, BY_OPERATOR),
      ),
    )
    .addCommand(resizeCommand())
    .addCommand(rotateCommand())
    .addCommand(replayCommand())
    .addCommand(skipCommand())
    .addCommand(testCommand())
    .addCommand(
      changeCommand('remove', 'remove an endpoint with its deliveries', (changes, vendor, id) =>
        changes.remove(vendor, id, BY_OPERATOR),
      ),
    );
}

function listCommand(): Command {
  return new Command('list')
    .description('list the endpoints, without their secrets')
    .option('--vendor <id>', 'only of this vendor', parseInteger)
    .option('--json', 'print a line of JSON for each', false)
    .action(({ vendor, json }: JsonOption & { readonly vendor?: number }) =>
      withWebhooks(async (webhooks) => {
        const all = await (vendor === undefined ? webhooks.all() : webhooks.list(vendor));
        for (const endpoint of all) printEndpoint(endpoint, json);
        if (!json && all.length === 0) printLine('There are no webhook endpoints.');
      }),
    );
}

function addCommand(): Command {
  return new Command('add')
    .description('add an endpoint and print its secret')
    .requiredOption('--vendor <id>', 'whose changes are sent', parseInteger)
    .requiredOption('--url <url>', 'where they are sent: https, with a public address')
    .addOption(
      new Option('--from <start>', 'send changes from now on, or everything')
        .choices(['now', 'beginning'])
        .default('now'),
    )
    .option('--max-bytes <bytes>', 'the largest body of a delivery', parseSize)
    .option('--json', 'print one line of JSON', false)
    .action(({ vendor, url, from, maxBytes, json }: AddOptions) =>
      withWebhooks(async (_, changes) => {
        const wanted = { url, from, max_bytes: maxBytes };
        printWithSecret(await changes.create(vendor, wanted, BY_OPERATOR), json);
      }),
    );
}

function showCommand(): Command {
  return new Command('show')
    .description('show an endpoint, what is waiting, and its last 50 deliveries')
    .argument('<id>', 'the endpoint', parseInteger)
    .option('--json', 'print one line of JSON', false)
    .action((id: number, { json }: JsonOption) =>
      withWebhooks(async (webhooks) => {
        const vendor = await webhooks.ownerOf(id);
        const endpoint = await webhooks.get(vendor, id);
        const waiting = await webhooks.waitingFor(endpoint);
        const deliveries = await webhooks.deliveries(vendor, id);
        if (json) {
          printJson({ ...endpoint, waiting, deliveries });
          return;
        }
        printLine(endpointLineOf(endpoint));
        printLine(`Waiting: at most ${countOfChanges(waiting)}`);
        for (const delivery of deliveries) printLine(deliveryLineOf(delivery));
      }),
    );
}

function secretCommand(): Command {
  return new Command('secret')
    .description('print the secret of an endpoint')
    .argument('<id>', 'the endpoint', parseInteger)
    .option('--json', 'print one line of JSON', false)
    .action((id: number, { json }: JsonOption) =>
      withWebhooks(async (webhooks, changes) => {
        const { secret } = await changes.showSecret(await webhooks.ownerOf(id), id, BY_OPERATOR);
        if (json) printJson({ id, secret });
        else printLine(secret);
      }),
    );
}

function resizeCommand(): Command {
  return new Command('resize')
    .description("change the largest body of an endpoint's deliveries")
    .argument('<id>', 'the endpoint', parseInteger)
    .argument('<bytes>', 'the largest body, unless a single change is larger', parseSize)
    .option('--json', 'print one line of JSON', false)
    .action((id: number, max_bytes: number, { json }: JsonOption) =>
      withWebhooks(async (webhooks, changes) => {
        const vendor = await webhooks.ownerOf(id);
        printEndpoint(await changes.edit(vendor, id, { max_bytes }, BY_OPERATOR), json);
      }),
    );
}

function rotateCommand(): Command {
  return new Command('rotate')
    .description('give an endpoint a new secret; the old one signs as well for 24 hours')
    .argument('<id>', 'the endpoint', parseInteger)
    .option('--json', 'print one line of JSON', false)
    .action((id: number, { json }: JsonOption) =>
      withWebhooks(async (webhooks, changes) => {
        printWithSecret(await changes.rotate(await webhooks.ownerOf(id), id, BY_OPERATOR), json);
      }),
    );
}

function replayCommand(): Command {
  return new Command('replay')
    .description('send all changes again, or those since a day')
    .argument('<id>', 'the endpoint', parseInteger)
    .option('--from <day>', 'the first day in UTC, such as 2025-06-01', parseDay)
    .option('--json', 'print one line of JSON', false)
    .action((id: number, { from, json }: JsonOption & { readonly from?: string }) =>
      withWebhooks(async (webhooks, changes) => {
        const vendor = await webhooks.ownerOf(id);
        printEndpoint(await changes.replay(vendor, id, from ?? null, BY_OPERATOR), json);
      }),
    );
}

function skipCommand(): Command {
  return new Command('skip')
    .description('move an endpoint past the delivery that its receiver rejects')
    .argument('<id>', 'the endpoint', parseInteger)
    .argument('<webhook-id>', 'the delivery; `webhooks show` has its webhook-id')
    .option('--json', 'print one line of JSON', false)
    .action((id: number, webhook_id: string, { json }: JsonOption) =>
      withWebhooks(async (webhooks, changes) => {
        const vendor = await webhooks.ownerOf(id);
        const { endpoint, skipped } = await changes.skip(vendor, id, webhook_id, BY_OPERATOR);
        if (json) printJson({ ...endpoint, skipped });
        else printLine(`${endpointLineOf(endpoint)}. Skipped: ${sequencesOf(skipped)}`);
      }),
    );
}

function testCommand(): Command {
  return new Command('test')
    .description('send a test now and print the result; exit status 1 if it is rejected')
    .argument('<id>', 'the endpoint', parseInteger)
    .option('--json', 'print one line of JSON', false)
    .action((id: number, { json }: JsonOption) =>
      withWebhooks(async (webhooks) => {
        const called = await webhooks.test(await webhooks.ownerOf(id), id);
        const { status, problem, duration_ms, sent, answer } = called;
        if (json) printJson({ sent, duration_ms, status, problem, answer });
        else printLine(`${problem ?? `accepted with ${String(status)}`}, after ${duration_ms} ms`);
        return problem === null;
      }),
    );
}

type Change = (
  changes: WebhookChangesService,
  vendor_id: number,
  id: number,
) => Promise<ShownEndpoint>;

function changeCommand(name: string, description: string, change: Change): Command {
  return new Command(name)
    .description(description)
    .argument('<id>', 'the endpoint', parseInteger)
    .option('--json', 'print one line of JSON', false)
    .action((id: number, { json }: JsonOption) =>
      withWebhooks(async (webhooks, changes) => {
        printEndpoint(await change(changes, await webhooks.ownerOf(id), id), json);
      }),
    );
}

function printWithSecret(endpoint: EndpointWithSecret, json: boolean): void {
  printEndpoint(endpoint, json);
  if (!json) printLine(`Secret: ${endpoint.secret}`);
}

function printEndpoint(endpoint: ShownEndpoint, json: boolean): void {
  if (json) printJson(endpoint);
  else printLine(endpointLineOf(endpoint));
}
