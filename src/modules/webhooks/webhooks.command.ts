import { Command, Option } from 'commander';
import { BY_OPERATOR } from '../../platform/values/author.js';
import {
  countOfChanges,
  DELIVERY_BYTES,
  sequencesOf,
  type EndpointWithSecret,
  type ShownEndpoint,
  type WebhookDelivery,
} from './webhook.model.js';
import {
  integerParser,
  parseDay,
  parseInteger,
  type JsonOption,
} from '../../platform/commands/options.js';
import { print, printList } from '../../platform/commands/output.js';
import { filterWords } from './endpoint-filter.js';
import { wordsIn, type FilterInput } from './filter-input.js';
import { ServiceCommand } from '../../platform/commands/with-service.js';
import { WebhooksService } from './webhooks.service.js';

interface FilterOptions {
  readonly kinds?: string[];
  readonly reasons?: string[];
  readonly products?: string[];
}

interface AddOptions extends JsonOption, FilterOptions {
  readonly vendor: number;
  readonly url: string;
  readonly from: 'now' | 'beginning';
  readonly maxBytes?: number;
}

interface EndpointOptions extends JsonOption, FilterOptions {
  readonly from?: string;
}

/** An endpoint and its vendor, with the options of the command and the service. */
interface OnEndpoint extends EndpointOptions {
  readonly webhooks: WebhooksService;
  readonly vendor: number;
  readonly id: number;
  /** The argument after the id, or an empty text. */
  readonly second: string;
}

/** A command on one endpoint. */
class EndpointCommand extends ServiceCommand {
  constructor(name: string, description: string) {
    super(name);
    this.description(description).argument('<id>', 'the endpoint', parseInteger);
  }

  /** Completes a command that prints its result. */
  does(work: (on: OnEndpoint) => Promise<unknown>): this {
    return this.option('--json', 'print one line of JSON', false).run(
      async (services, id: number) => {
        const webhooks = services.get(WebhooksService);
        const vendor = await webhooks.ownerOf(id);
        const [, second = ''] = this.args;
        return work({ ...this.opts<EndpointOptions>(), webhooks, vendor, id, second });
      },
    );
  }

  /** Completes a command that changes the endpoint and prints it. */
  changes(change: (on: OnEndpoint) => Promise<ShownEndpoint>): this {
    return this.does(async (on) => {
      print(await change(on), on.json, endpointLineOf);
    });
  }
}

const parseSize = integerParser(DELIVERY_BYTES);

export function webhooksCommand(): Command {
  return new Command('webhooks')
    .description('webhook endpoints, where vendors receive changes')
    .addCommand(listCommand())
    .addCommand(addCommand())
    .addCommand(showCommand())
    .addCommand(
      new EndpointCommand('secret', 'print the secret of an endpoint').does(
        async ({ webhooks, vendor, id, json }) => {
          const { secret } = await webhooks.showSecret(vendor, id, BY_OPERATOR);
          print({ id, secret }, json, () => secret);
        },
      ),
    )
    .addCommand(
      new EndpointCommand('pause', 'send nothing until it is resumed').changes(
        ({ webhooks, vendor, id }) => webhooks.edit(vendor, id, { state: 'paused' }, BY_OPERATOR),
      ),
    )
    .addCommand(
      new EndpointCommand('resume', 'send again, starting immediately').changes(
        ({ webhooks, vendor, id }) => webhooks.edit(vendor, id, { state: 'active' }, BY_OPERATOR),
      ),
    )
    .addCommand(
      new EndpointCommand('resize', "change the largest body of an endpoint's deliveries")
        .argument('<bytes>', 'the largest body, unless a single change is larger', parseSize)
        .changes(({ webhooks, vendor, id, second }) =>
          webhooks.edit(vendor, id, { max_bytes: Number(second) }, BY_OPERATOR),
        ),
    )
    .addCommand(
      filterable(
        new EndpointCommand('filter', 'change what is sent; what is not named stays as it is'),
      ).changes(({ webhooks, vendor, id, ...options }) =>
        webhooks.edit(vendor, id, filterIn(options), BY_OPERATOR),
      ),
    )
    .addCommand(rotateCommand())
    .addCommand(
      new EndpointCommand('replay', 'send all changes again, or those since a day')
        .option('--from <day>', 'the first day in UTC, such as 2025-06-01', parseDay)
        .changes(({ webhooks, vendor, id, from = null }) =>
          webhooks.replay(vendor, id, from, BY_OPERATOR),
        ),
    )
    .addCommand(skipCommand())
    .addCommand(testCommand())
    .addCommand(
      new EndpointCommand('remove', 'remove an endpoint with its deliveries').changes(
        ({ webhooks, vendor, id }) => webhooks.remove(vendor, id, BY_OPERATOR),
      ),
    );
}

function listCommand(): Command {
  return new ServiceCommand('list')
    .description('list the endpoints, without their secrets')
    .option('--vendor <id>', 'only of this vendor', parseInteger)
    .option('--json', 'print a line of JSON for each', false)
    .run(async (services, { vendor, json }: JsonOption & { readonly vendor?: number }) => {
      const all = await services.get(WebhooksService).list(vendor);
      printList(all, json, endpointLineOf, 'There are no webhook endpoints.');
    });
}

/** Adds the options of a filter to a command. */
function filterable<Own extends Command>(command: Own): Own {
  return command
    .option('--kinds <kinds>', "only these kinds, with commas; '' for all", wordsIn)
    .option('--reasons <reasons>', "only changes with one of these reasons; '' for all", wordsIn)
    .option('--products <ids>', "only of these products; '' for all", wordsIn);
}

function filterIn({ kinds, reasons, products }: FilterOptions): FilterInput {
  return { kinds, reasons, product_ids: products };
}

function addCommand(): Command {
  return filterable(new ServiceCommand('add'))
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
    .run(async (services, { vendor, url, from, maxBytes, json, ...filter }: AddOptions) => {
      const webhooks = services.get(WebhooksService);
      const wanted = { url, from, max_bytes: maxBytes, ...filterIn(filter) };
      print(await webhooks.create(vendor, wanted, BY_OPERATOR), json, linesWithSecret);
    });
}

function showCommand(): Command {
  return new EndpointCommand(
    'show',
    'show an endpoint, what is waiting, and its last 50 deliveries',
  ).does(async ({ webhooks, vendor, id, json }) => {
    const endpoint = await webhooks.get(vendor, id);
    const waiting = await webhooks.waitingFor(endpoint);
    const deliveries = await webhooks.deliveries(vendor, id);
    print({ ...endpoint, waiting, deliveries }, json, () => [
      endpointLineOf(endpoint),
      `Waiting: at most ${countOfChanges(waiting)}`,
      ...deliveries.map(deliveryLineOf),
    ]);
  });
}

function rotateCommand(): Command {
  return new EndpointCommand(
    'rotate',
    'give an endpoint a new secret; the old one signs as well for 24 hours',
  ).does(async ({ webhooks, vendor, id, json }) => {
    print(await webhooks.rotate(vendor, id, BY_OPERATOR), json, linesWithSecret);
  });
}

function skipCommand(): Command {
  return new EndpointCommand('skip', 'move an endpoint past the delivery that its receiver rejects')
    .argument('<webhook-id>', 'the delivery; `webhooks show` has its webhook-id')
    .does(async ({ webhooks, vendor, id, json, second }) => {
      const { endpoint, skipped } = await webhooks.skip(vendor, id, second, BY_OPERATOR);
      print({ ...endpoint, skipped }, json, () => {
        return `${endpointLineOf(endpoint)}. Skipped: ${sequencesOf(skipped)}`;
      });
    });
}

function testCommand(): Command {
  return new EndpointCommand(
    'test',
    'send a test now and print the result; exit status 1 if it is rejected',
  ).does(async ({ webhooks, vendor, id, json }) => {
    const { status, problem, duration_ms, sent, answer } = await webhooks.test(vendor, id);
    print({ sent, duration_ms, status, problem, answer }, json, () => {
      return `${problem ?? `accepted with ${String(status)}`}, after ${duration_ms} ms`;
    });
    return problem === null;
  });
}

function linesWithSecret(endpoint: EndpointWithSecret): string[] {
  return [endpointLineOf(endpoint), `Secret: ${endpoint.secret}`];
}

function endpointLineOf(endpoint: ShownEndpoint) {
  const { id, vendor_id, url, state, failures, problem } = endpoint;
  const trouble = problem === null ? '' : `, ${failures} failed in a row: ${problem}`;
  const filter = filterWords(endpoint);
  const only = filter === null ? '' : `, only ${filter}`;
  return `Webhook endpoint ${id} of user ${vendor_id}: ${url}, ${state}${only}${trouble}`;
}

/**
 * @returns for example `, skipped at 2025-06-01 10:00:00 UTC with the changes 5 to 7`, or an empty
 * text
 */
function skipOf(delivery: WebhookDelivery): string {
  const { skipped } = delivery;
  return skipped === null ? '' : `, skipped at ${skipped} UTC with the ${sequencesOf(delivery)}`;
}

function deliveryLineOf(delivery: WebhookDelivery): string {
  const { sent, duration_ms, changes, status, problem, webhook_id } = delivery;
  const outcome = problem ?? `accepted with ${String(status)}`;
  return `${sent} UTC  ${countOfChanges(changes)}  ${duration_ms} ms  ${outcome}${skipOf(delivery)}  ${webhook_id}`;
}
