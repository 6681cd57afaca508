import type { INestApplicationContext } from '@nestjs/common';
import { Command } from 'commander';
import { type ProductHoldings, ProductRemovalService } from './records/product-removal.service.js';
import { parseInteger, type JsonOption } from '../../platform/commands/options.js';
import { printError, printJson, printLine } from '../../platform/commands/output.js';
import { ServiceCommand } from '../../platform/commands/with-service.js';

interface RemoveOptions extends JsonOption {
  readonly vendor: number;
  readonly product: number;
  readonly yes: boolean;
  readonly force: boolean;
}

export function sourcesCommand(): Command {
  return new Command('sources')
    .description('what sources and upstreams of vendors created')
    .addCommand(
      new ServiceCommand('remove')
        .description(
          'remove a product of a vendor with all that belongs to it; without --yes, print what would be deleted',
        )
        .requiredOption('--vendor <id>', 'the vendor who has the product', parseInteger)
        .requiredOption('--product <id>', 'the product', parseInteger)
        .option('--yes', 'delete it', false)
        .option('--force', 'also if your records named the product', false)
        .option('--json', 'print one line of JSON', false)
        .run(remove),
    );
}

async function remove(
  services: INestApplicationContext,
  { vendor, product, yes, force, json }: RemoveOptions,
): Promise<void> {
  const removal = services.get(ProductRemovalService);
  const key = { vendor_id: vendor, product_id: product };
  const found = await removal.holdingsOf(key);
  if (!json) printHoldings(found);
  if (yes) await removal.remove(key, force);
  if (json) printJson({ ...found, removed: yes });
  else if (yes) printLine('Deleted, with the sums of these records.');
  else printError('Nothing was deleted. Add --yes to delete this.');
}

function printHoldings(found: ProductHoldings): void {
  for (const [type, count] of Object.entries(found)) {
    printLine(`${type.replace('_', ' ').padEnd(20)}${count}`);
  }
}
