import { hkdfSync } from 'node:crypto';
import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import {
  UnreadableKeyError,
  AccountsRepository,
  ApiApplicationsService,
  SignInService,
} from '../accounts/index.js';
import { ImportService, rejectedOf } from '../records-in/index.js';
import { DemoAccountService } from './demo-account.service.js';
import { demoLedger } from './demo-ledger.js';
import { DEMO_VENDOR_ID } from './demo-products.js';

const APPLICATION = 'Demo';
const PASSWORD_PURPOSE = 'vendor-reporting-api demo sign-in';

/** These credentials give access to the demo ledger. */
export interface Demo {
  readonly key: string;
  readonly signIn: { readonly email: string; readonly password: string } | null;
}

/** Provides a demo ledger on the first start of the service. */
@Injectable()
export class DemoService {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly applications: ApiApplicationsService,
    private readonly importer: ImportService,
    private readonly account: DemoAccountService,
    private readonly users: SignInService,
    private readonly settings: Settings,
  ) {}

  /**
   * Loads the demo ledger if the database is empty.
   * @returns the credentials, or null if the ledger is not the demo ledger or its key cannot be
   *   shown
   */
  async prepare(): Promise<Demo | null> {
    if (await this.accounts.isEmpty()) {
      await this.load(new Date());
      const made = await this.applications.createApplication(DEMO_VENDOR_ID, APPLICATION, null);
      await this.account.fill();
      return { key: made.key, signIn: await this.prepareSignIn() };
    }
    const applications = await this.applications.applicationsOf(DEMO_VENDOR_ID);
    const demo = applications.find(({ name, state }) => name === APPLICATION && state === 'active');
    const key = demo === undefined ? null : await this.keyOf(demo.id);
    return key === null ? null : { key, signIn: await this.prepareSignIn() };
  }

  /** @returns null if KEY_ENCRYPTION_SECRET has changed since, which is logged */
  private async keyOf(application_id: number): Promise<string | null> {
    try {
      return await this.applications.keyOf(application_id);
    } catch (error) {
      if (error instanceof UnreadableKeyError) return null;
      throw error;
    }
  }

  /** @returns null if the demo vendor's password has been changed */
  private async prepareSignIn(): Promise<Demo['signIn']> {
    const vendor = await this.accounts.userById(DEMO_VENDOR_ID);
    if (vendor === null) return null;
    // The password is the same at each start, but different in each installation.
    const bytes = hkdfSync('sha256', this.settings.keyEncryptionSecret, '', PASSWORD_PURPOSE, 12);
    const password = Buffer.from(bytes).toString('base64url');
    if (!(await this.users.hasPassword(vendor.id))) {
      await this.users.setPassword(vendor.id, password);
    } else if (!(await this.users.isPasswordOf(vendor.id, password))) return null;
    return { email: vendor.email, password };
  }

  async load(now: Date): Promise<void> {
    const summary = await this.importer.import(Readable.from(toLines(demoLedger(now))), {
      source: 'demo',
      dryRun: false,
      strict: true,
      onProblem: failOn,
      onWarning: failOn,
      onProgress: () => undefined,
    });
    if (rejectedOf(summary) > 0) throw new Error('the demo ledger was rejected');
  }
}

function failOn(line: number, what: string): never {
  throw new Error(`the demo ledger is invalid in line ${line}: ${what}`);
}

function* toLines(records: Iterable<unknown>): Generator<Buffer> {
  for (const record of records) yield Buffer.from(`${JSON.stringify(record)}\n`);
}
