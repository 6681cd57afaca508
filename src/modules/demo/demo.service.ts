import { hkdfSync } from 'node:crypto';
import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { UnreadableKeyError } from '../accounts/account.model.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { ApiApplicationsService } from '../accounts/applications/api-applications.service.js';
import { SignInService } from '../accounts/sessions/sign-in.service.js';
import { ImportService } from '../import/import.service.js';
import { rejectedOf } from '../import/import.model.js';
import { demoLedger } from './demo-ledger.js';
import { DEMO_VENDOR_ID } from './demo-words.js';

const APPLICATION = 'Demo';
const PASSWORD_USE = 'vendor-reporting-api demo sign-in';

/** What opens the demo ledger. */
export interface Demo {
  readonly key: string;
  readonly signIn: { readonly email: string; readonly password: string } | null;
}

/** A ledger to look at, for who starts the service for the first time. */
@Injectable()
export class DemoService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly applications: ApiApplicationsService,
    private readonly importer: ImportService,
    private readonly users: SignInService,
    private readonly settings: Settings,
  ) {}

  /**
   * Loads the demo ledger where there is nothing at all yet.
   * @returns how to look at it, or null where the ledger is somebody's own, or its key can not be shown
   */
  async prepare(): Promise<Demo | null> {
    if (await this.accounts.isEmpty()) {
      await this.load(new Date());
      const made = await this.applications.createApplication(DEMO_VENDOR_ID, APPLICATION, null);
      return { key: made.key, signIn: await this.prepareSignIn() };
    }
    const applications = await this.applications.applicationsOf(DEMO_VENDOR_ID);
    const demo = applications.find(({ name, state }) => name === APPLICATION && state === 'active');
    const key = demo === undefined ? null : await this.keyOf(demo.id);
    return key === null ? null : { key, signIn: await this.prepareSignIn() };
  }

  /** @returns null where the secret was changed since; the log says so */
  private async keyOf(application_id: number): Promise<string | null> {
    try {
      return await this.applications.keyOf(application_id);
    } catch (error) {
      if (error instanceof UnreadableKeyError) return null;
      throw error;
    }
  }

  /** @returns null where the demo vendor has another password by now */
  private async prepareSignIn(): Promise<Demo['signIn']> {
    const vendor = await this.accounts.userById(DEMO_VENDOR_ID);
    if (vendor === null) return null;
    // The same after each start, and another one in each installation.
    const bytes = hkdfSync('sha256', this.settings.keyEncryptionSecret, '', PASSWORD_USE, 12);
    const password = Buffer.from(bytes).toString('base64url');
    if (!(await this.users.hasPassword(vendor.id))) {
      await this.users.setPassword(vendor.id, password);
    } else if (!(await this.users.isPasswordOf(vendor.id, password))) return null;
    return { email: vendor.email, password };
  }

  /** Loads the ledger as it is at `now`. */
  async load(now: Date): Promise<void> {
    const summary = await this.importer.import(Readable.from(asLines(demoLedger(now))), {
      source: 'demo',
      dryRun: false,
      strict: true,
      onProblem: isWrong,
      onWarning: isWrong,
      onProgress: () => undefined,
    });
    if (rejectedOf(summary) > 0) throw new Error('the demo ledger was rejected');
  }
}

function isWrong(line: number, what: string): never {
  throw new Error(`the demo ledger is wrong in line ${line}: ${what}`);
}

function* asLines(records: Iterable<unknown>): Generator<Buffer> {
  for (const record of records) yield Buffer.from(`${JSON.stringify(record)}\n`);
}
