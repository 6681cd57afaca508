import { Command } from 'commander';
import { shownText } from '../../common/shown-text.js';
import { TransactionsService } from '../../modules/transactions/list/transactions.service.js';
import { withService } from '../with-service.js';

/** `verify`: recomputes everything that is derived from the ledger. */
export function verifyCommand(): Command {
  return new Command('verify')
    .description(
      'recompute all derived data; prints differences and exits with status 1 if there are any',
    )
    .action(() =>
      withService(async (services) => {
        const differences = await services.get(TransactionsService).differences();
        for (const { figure, kept, actual } of differences) {
          process.stdout.write(`${shownText(`${figure}: kept ${kept}, actual ${actual}`)}\n`);
        }
        if (differences.length > 0) return 1;
        process.stdout.write('All derived data matches the ledger.\n');
        return 0;
      }),
    );
}
