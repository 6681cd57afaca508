import { text } from 'node:stream/consumers';
import { Command } from 'commander';
import { BY_OPERATOR } from '../../platform/values/author.js';
import { ErasePersonService } from './people/erase-person.service.js';
import { ExtensionSweepService } from './extension-rows/extension-sweep.service.js';
import { PeopleService } from './people/people.service.js';
import {
  NOTHING_FOUND,
  NOTHING_FOUND_YET,
  recordsOf,
  type ErasedPerson,
  type FoundPerson,
  type PersonRecords,
} from './people/people.model.js';
import { PersonalReadLog } from './reads/personal-read-log.service.js';
import { PendingErasuresService, type Replayed } from './people/pending-erasures.service.js';
import { parseInteger, type JsonOption } from '../../platform/commands/options.js';
import { print, printError, printList } from '../../platform/commands/output.js';
import { ServiceCommand } from '../../platform/commands/with-service.js';

const EMAIL = 'their e-mail, in any case; - to read it from standard input';

interface WhereOptions {
  readonly vendor?: number;
  readonly all?: boolean;
}

export function peopleCommand(): Command {
  return new Command('people')
    .description('find, export and erase the personal data of a customer')
    .addCommand(findCommand())
    .addCommand(exportCommand())
    .addCommand(eraseCommand())
    .addCommand(replayCommand());
}

function findCommand(): Command {
  return ofPerson('find', 'count what is kept of a person')
    .option('--json', 'print a line of JSON for each vendor', false)
    .run(async (services, email: string, { vendor, json }: WhereOptions & JsonOption) => {
      await services.get(ExtensionSweepService).sweep();
      const found = await services.get(PeopleService).find(await given(email), vendor ?? null);
      printList(found, json, foundLineOf, 'No data of this person is stored.');
    });
}

function exportCommand(): Command {
  return ofPerson('export', 'print everything that is kept of a person, as JSON')
    .option('--json', 'print JSON, which is the default', false)
    .run(async (services, email: string, { vendor }: WhereOptions) => {
      await services.get(ExtensionSweepService).sweep();
      const people = services.get(PeopleService);
      const person = await given(email);
      for (const found of await people.find(person, vendor ?? null)) {
        services.get(PersonalReadLog).add({
          vendor_id: found.vendor_id,
          ...BY_OPERATOR,
          operation: 'command.people',
          records: recordsOf(found),
        });
      }
      for await (const part of people.json(person, vendor ?? null)) {
        if (!process.stdout.write(part)) await drained();
      }
    });
}

function eraseCommand(): Command {
  return ofPerson('erase', 'erase the personal data of what a person has bought until now')
    .option('--json', 'print a line of JSON for each vendor', false)
    .run(
      async (services, email: string, { vendor, all = false, json }: WhereOptions & JsonOption) => {
        if ((vendor === undefined) === !all) {
          printError('Pass --vendor ID, or --all for all vendors.');
          return false;
        }
        const people = services.get(ErasePersonService);
        const outcome = await people.erase(await given(email), vendor ?? null, BY_OPERATOR);
        if (outcome.reason !== 'found') {
          const tombstone = outcome.reason !== null;
          const counts = { sales: 0, recurring_payments: 0, found: false, tombstone };
          print({ vendor_id: vendor ?? null, ...counts }, json, () =>
            tombstone ? NOTHING_FOUND_YET : NOTHING_FOUND,
          );
          return true;
        }
        for (const each of outcome.erased) print(each, json, erasedLineOf);
        return true;
      },
    );
}

function replayCommand(): Command {
  return new ServiceCommand('replay')
    .description('after restoring a backup, erase the restored customers again')
    .argument('[file...]', 'files of erasures besides ERASURES_FILE, or logs with audit lines')
    .option('--json', 'print one line of JSON', false)
    .run(async (services, files: readonly string[], { json }: JsonOption) => {
      print(await services.get(PendingErasuresService).replay(files), json, replayedLineOf);
    });
}

function ofPerson(name: string, description: string): ServiceCommand {
  return new ServiceCommand(name)
    .description(description)
    .argument('<email>', EMAIL)
    .option('--vendor <id>', 'only at this vendor', parseInteger)
    .option('--all', 'at all vendors');
}

/**
 * Returns the e-mail address in the argument, or reads it from standard input for `-`. A shell
 * keeps the arguments of its commands in a history, so operators may not want the address there.
 */
async function given(email: string): Promise<string> {
  return email === '-' ? text(process.stdin) : email;
}

function drained(): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.once('drain', resolve);
  });
}

function foundLineOf(found: FoundPerson): string {
  const { vendor_id, sales, first_sale, last_sale, recurring_payments } = found;
  const between = first_sale === null ? '' : `, from ${first_sale} to ${last_sale ?? ''} UTC`;
  return `Vendor ${vendor_id}: ${sales} sales${between}; ${recurring_payments} recurring payments${rowsOf(found)}`;
}

function erasedLineOf(erased: ErasedPerson): string {
  const { vendor_id, sales, recurring_payments } = erased;
  return `Vendor ${vendor_id}: ${sales} sales and ${recurring_payments} recurring payments erased${rowsOf(erased)}`;
}

function replayedLineOf(replayed: Replayed): string {
  const { erasures, added, people, sales, recurring_payments } = replayed;
  return `Erasures: ${erasures}, of which the database lacked ${added}. Erased again: ${people} people, ${sales} sales, ${recurring_payments} recurring payments${rowsOf(replayed)}.`;
}

/** Returns how many rows of extensions there are; nothing for none. */
function rowsOf({ extension_rows }: PersonRecords): string {
  return extension_rows === undefined ? '' : `; ${extension_rows} extension rows`;
}
