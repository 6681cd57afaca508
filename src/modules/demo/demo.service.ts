import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { AccountsService } from '../accounts/accounts.service.js';
import { ApiApplicationsService } from '../accounts/api-applications.service.js';
import { LedgerService } from '../ledger/ledger.service.js';
import { rejectedOf } from '../ledger/import-summary.model.js';
import { demoLedger } from './demo-ledger.js';
import { DEMO_VENDOR_ID } from './demo-words.js';

const APPLICATION = 'Demo';

/** A ledger to look at, for who starts the service for the first time. */
@Injectable()
export class DemoService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly applications: ApiApplicationsService,
    private readonly ledger: LedgerService,
  ) {}

  /**
   * Loads the demo ledger where there is nothing at all yet.
   * @returns the key of its vendor, or null where the ledger is somebody's own
   */
  async prepare(): Promise<string | null> {
    if (await this.accounts.isEmpty()) {
      await this.load(new Date());
      const made = await this.applications.createApplication(DEMO_VENDOR_ID, APPLICATION, null);
      return made.key;
    }
    const applications = await this.applications.applications();
    const demo = applications.find(
      ({ user_id, name, state }) =>
        user_id === DEMO_VENDOR_ID && name === APPLICATION && state === 'active',
    );
    return demo === undefined ? null : this.applications.keyOf(demo.id);
  }

  /** Loads the ledger of the 400 days before `now`. */
  async load(now: Date): Promise<void> {
    const summary = await this.ledger.import(Readable.from(asLines(demoLedger(now))), {
      dryRun: false,
      strict: true,
      onProblem: (line, problem) => {
        throw new Error(`the demo ledger is wrong in line ${line}: ${problem}`);
      },
      onProgress: () => undefined,
    });
    if (rejectedOf(summary) > 0) throw new Error('the demo ledger was rejected');
  }
}

function* asLines(records: Iterable<unknown>): Generator<Buffer> {
  for (const record of records) yield Buffer.from(`${JSON.stringify(record)}\n`);
}
