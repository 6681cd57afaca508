// Runs the built service with the demo data of a fixed day, in a temporary folder.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  AccountsRepository,
  ApiApplicationsService,
  createApp,
  DemoService,
  readSettings,
  SignInService,
} from '../dist/internals.js';

const DAY = new Date('2025-06-30T00:00:00Z');
/** User id of the vendor of the demo data. */
export const VENDOR = 1001;

/** Starts the service, calls `use` with a client of it, and stops it. */
export async function withDemoService(use) {
  const folder = mkdtempSync(join(tmpdir(), 'vendor-reporting-demo-'));
  const app = await createApp(
    readSettings({
      NODE_ENV: 'test',
      LOG_LEVEL: 'error',
      THROTTLE_LIMITS: 'off',
      CURRENCY: '$',
      DATABASE_URL: `sqlite:${join(folder, 'ledger.sqlite')}`,
      KEY_ENCRYPTION_SECRET: 'a secret for the demo data only, long enough',
    }),
  );
  try {
    await app.get(DemoService).load(DAY);
    await app.listen(0, '127.0.0.1');
    await use(new Caller(app));
  } finally {
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Calls the service, and creates the keys that it needs. */
class Caller {
  constructor(app) {
    this.app = app;
  }

  async keyOf(user_id, addresses = null) {
    const applications = this.app.get(ApiApplicationsService);
    return (await applications.createApplication(user_id, 'examples', null, { addresses })).key;
  }

  async sourceKeyOf(vendor_id) {
    const applications = this.app.get(ApiApplicationsService);
    return (await applications.createSource(vendor_id, 'examples', null)).key;
  }

  /** Lets a user sign in to the account pages. */
  setPassword(user_id, password) {
    return this.app.get(SignInService).setPassword(user_id, password);
  }

  async emailOf(user_id) {
    return (await this.app.get(AccountsRepository).userById(user_id)).email;
  }

  async call(method, path, key, body) {
    const response = await fetch((await this.app.getUrl()) + path, {
      method,
      headers: {
        ...(key === null
          ? {}
          : { Authorization: `Basic ${Buffer.from(`${key}:x`).toString('base64')}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return response.json();
  }
}
