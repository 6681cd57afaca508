import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Visitor } from './visitor.js';

export const PATH = '/account/applications';
export const KEY = /value="(vra_[0-9A-Za-z]{42})"/;

/**
 * Creates an application.
 * @returns its path
 */
export async function make(visitor: Visitor, fields: Record<string, string>): Promise<string> {
  await visitor.get(PATH);
  const made = await visitor.post(PATH, {
    access: 'full',
    expires: '',
    addresses: '',
    ...fields,
  });
  const page = await visitor.follow(made);
  expect(page.text).toContain('The application was created.');
  return String(made.headers.location).split('?')[0] ?? '';
}

export async function keyOf(visitor: Visitor, path: string): Promise<string> {
  return KEY.exec((await visitor.post(`${path}/key`)).text)?.[1] ?? 'no key';
}

/** Returns the id of an application from its path. */
export function idIn(path: string): string {
  return path.split('/').pop() ?? '';
}

/** Opens the form of a new application, which a button leads to if the user has others. */
export async function openForm(page: Page): Promise<void> {
  const button = page.getByRole('link', { name: 'Create an application' });
  if ((await button.count()) === 0) return;
  await button.click();
  await page.waitForURL('**new=yes**');
}
