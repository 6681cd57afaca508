import { parseInteger, print, ServiceCommand } from 'vendor-reporting-api/extension';
import { SampleNameService } from './sample-name.service.js';

interface Options {
  readonly vendor: number;
  readonly json: boolean;
}

/** Builds the command `sample-name`. */
export function sampleNameCommand(): ServiceCommand {
  return new ServiceCommand('sample-name')
    .description('count the texts of a vendor')
    .requiredOption('--vendor <id>', 'id of the vendor', parseInteger)
    .option('--json', 'print JSON', false)
    .run(async (services, { vendor, json }: Options) => {
      const texts = await services.get(SampleNameService).count(vendor);
      print({ vendor, texts }, json, () => `Vendor ${vendor} has ${texts} texts.`);
    });
}
