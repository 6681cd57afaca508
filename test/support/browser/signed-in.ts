import type { Page } from 'playwright-core';
import { SignInService } from '../../../src/modules/accounts/sessions/sign-in.service.js';
import type { Look, TestBrowser } from './browser.js';
import type { TestService } from '../servers/service.js';
import { PASSWORD } from './visitor.js';

/** Opens an account page as a user who followed a link to it: the user signs in first. */
export async function openSignedIn(
  browser: TestBrowser,
  service: TestService,
  user_id: number,
  path: string,
  look: Look = {},
): Promise<Page> {
  await service.app.get(SignInService).setPassword(user_id, PASSWORD);
  const page = await browser.open(service.port, path, look);
  await page.getByLabel('E-mail').fill(`user${user_id}@example.test`);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByLabel('Password').press('Enter');
  await page.waitForURL((url) => url.pathname + url.search === path);
  return page;
}
