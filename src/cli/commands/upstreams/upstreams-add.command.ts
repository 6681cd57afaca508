import { Command, InvalidArgumentError } from 'commander';
import { BY_OPERATOR } from '../../../modules/audit/audit.model.js';
import { UpstreamChangesService } from '../../../modules/upstreams/registry/upstream-changes.service.js';
import { UpstreamOwnersService } from '../../../modules/upstreams/registry/upstream-owners.service.js';
import { UpstreamsService } from '../../../modules/upstreams/registry/upstreams.service.js';
import {
  EVERY_SECONDS,
  OWN_WORDS,
  type FieldWords,
} from '../../../modules/upstreams/upstream.model.js';
import { parseDuration } from '../../application-options.js';
import { readKeyFile } from '../../key-file.js';
import { parseInteger, type JsonOption } from '../../options.js';
import { print } from '../../output.js';
import { withService } from '../../with-service.js';
import { upstreamLinesOf } from './upstream-lines.js';

interface AddOptions extends JsonOption {
  readonly vendor?: number;
  readonly url: string;
  readonly keyFile: string;
  readonly names?: FieldWords;
  readonly every?: number;
}

/** Builds `upstreams add`, which never prints the key. */
export function addCommand(): Command {
  return new Command('add')
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
    .action(runAdd);
}

function runAdd({ vendor, url, keyFile, names, every, json }: AddOptions): Promise<void> {
  const words = names ?? OWN_WORDS;
  const every_seconds = every ?? EVERY_SECONDS.default;
  return withService(async (services) => {
    const key = await readKeyFile(keyFile);
    const wanted = { url, key, words, every_seconds };
    const vendor_id = vendor ?? (await services.get(UpstreamOwnersService).ensureOwner(wanted));
    const upstream = await services.get(UpstreamChangesService).add(vendor_id, wanted, BY_OPERATOR);
    const notify_path = await services.get(UpstreamsService).notifyPathOf(vendor_id);
    print({ ...upstream, notify_path }, json, () => [
      ...upstreamLinesOf(upstream),
      `Path for notifications: ${notify_path ?? ''}`,
    ]);
  });
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
