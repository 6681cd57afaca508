import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { expectFits, expectFitsIn, useBrowser, type Look } from '../support/browser/browser.js';
import { product, transaction, user } from '../support/builders/ledger-records.js';
import { ApiDocument } from '../support/oracles/open-api.js';
import { fileOfVersion, VERSIONS } from '../support/oracles/operations.js';
import { TestService } from '../support/servers/service.js';

const browser = useBrowser();
let service: TestService;
let key: string;
beforeAll(async () => {
  service = await TestService.start();
  await service.import([user(1), product(10, 1), transaction('PA-1', 10)]);
  key = await service.key(1);
});
afterAll(() => service.stop());

async function openReference(version: string, look?: Look): Promise<Page> {
  const page = await browser.open(service.port, `/docs/${fileOfVersion(version)}`, look);
  await page.locator('.opblock').first().waitFor();
  return page;
}

/** Opens an operation by keyboard unless it is open, and returns its part of the page. */
async function openOperation(page: Page, operationId: string) {
  const operation = page.locator(`[id$="-${operationId}"]`);
  const control = operation.locator('.opblock-summary-control');
  await page.locator('.opblock.is-open').first().waitFor();
  if ((await control.getAttribute('aria-expanded')) === 'false') await control.press('Enter');
  await operation.getByRole('button', { name: 'Execute' }).waitFor();
  return operation;
}

async function useKey(page: Page, text: string): Promise<void> {
  await page.getByLabel('API key').fill(text);
  await page.getByLabel('API key').press('Enter');
  await page.getByText('The key is sent with the calls').waitFor();
}

async function tryList(page: Page) {
  const operation = await openOperation(page, 'listTransactions');
  await operation.getByLabel('start_date').fill('2025-06-01');
  await operation.getByLabel('end_date').fill('2025-06-30');
  await operation.getByRole('button', { name: 'Execute' }).click();
  const answer = operation.locator('.live-responses-table .response');
  await answer.waitFor();
  return answer;
}

describe('the versions of the reference', () => {
  it('link to each other, and each shows its operations', async () => {
    const page = await browser.open(service.port, '/docs');
    const versions = page.getByRole('navigation', { name: 'Versions' });
    for (const version of ['3.0', '2.1', '2.0', 'ledger-1', '3.0']) {
      const name = version === 'ledger-1' ? 'Ledger interface 1' : `Version ${version}`;
      await versions.getByRole('link', { name }).click();
      await page.getByRole('heading', { name: `Operations of ${name.toLowerCase()}` }).waitFor();
      await page.locator('.opblock').first().waitFor();
      expect(await versions.locator('[aria-current="page"]').allTextContents()).toEqual([name]);
      expect(await page.locator('.opblock-summary-path').allTextContents()).toHaveLength(
        new ApiDocument(version).operations().size,
      );
    }
  });
});

describe('the reference', () => {
  it('opens the first operation, or the one that the address names', async () => {
    const open = (page: Page) => page.locator('.opblock.is-open .opblock-summary-path');
    const page = await openReference('3.0');
    await open(page).waitFor();
    expect(await open(page).allTextContents()).toEqual(['/v3.0/transactions']);
    expect(new URL(page.url()).hash).toBe('');
    const success = page.locator('.is-open .response-col_description__inner').first();
    expect((await success.textContent())?.trim()).toBe('Success');
    const lastMonth = await page.getByLabel('start_date').inputValue();
    const example = page.locator('.is-open .response-col_description pre').first();
    expect(await example.textContent()).toContain(`"sale_date": "${lastMonth.slice(0, 8)}`);
    const named = await browser.open(service.port, '/docs/v3.0#/Version/describeVersion');
    await open(named).waitFor();
    expect(await open(named).allTextContents()).toEqual(['/v3.0']);
  });

  it('leads from the list of the operations to each, and back', async () => {
    const page = await openReference('ledger-1');
    const list = page.getByRole('navigation', { name: 'Operations' });
    const focused = page.locator('.opblock-summary-control:focus .opblock-summary-path');
    for (const id of ['describeVersion', 'listWebhooks']) {
      await list.locator(`a[href$="/${id}"]`).click();
      await page.locator(`[id$="-${id}"].is-open .opblock-summary-control:focus`).waitFor();
    }
    expect(await focused.textContent()).toContain('/webhooks');
    await page.goBack();
    await page.locator('[id$="-describeVersion"] .opblock-summary-control:focus').waitFor();
    await page.goBack();
    expect(new URL(page.url()).hash).toBe('');
  });

  it('offers last month, and no example that would leave out most results', async () => {
    const now = new Date();
    const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
    const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
    const page = await openReference('ledger-1');
    await page.locator('#operations a[href$="/exportCsv"]').click();
    const operation = await openOperation(page, 'exportCsv');
    const valueOf = (name: string) => operation.getByLabel(name, { exact: true }).inputValue();
    expect(await valueOf('start_date')).toBe(dayOf(Date.UTC(year, month - 1, 1)));
    expect(await valueOf('end_date')).toBe(dayOf(Date.UTC(year, month, 0)));
    expect(await valueOf('email')).toBe('');
    const email = operation.locator('[data-param-name="email"]');
    expect(await email.textContent()).toContain('For example mara@example.com.');
  });

  it('begins with the operations on a phone, and has the list and the key behind buttons', async () => {
    const page = await openReference('3.0', { width: 390 });
    const box = await page.locator('.opblock').first().boundingBox();
    expect(box?.y).toBeLessThan(300);
    await page.getByRole('link', { name: 'Key and tools' }).click();
    await page.getByLabel('API key').waitFor();
    await page.getByRole('link', { name: 'Operations' }).click();
    await page.getByRole('link', { name: 'Describe the version' }).click();
    await page.locator('.is-open .opblock-summary-control:focus').waitFor();
    expect(await page.getByRole('navigation', { name: 'Operations' }).isVisible()).toBe(false);
  });
});

describe('trying out the list of 3.0', () => {
  it('shows 200 and the JSON, with a key', async () => {
    const page = await openReference('3.0');
    await useKey(page, key);
    const answer = await tryList(page);
    expect(await answer.locator('.response-col_status').textContent()).toBe('200');
    const text = await answer.locator('.response-col_description pre').first().textContent();
    expect(JSON.parse(text ?? '')).toMatchObject({
      meta: { total_count: 1 },
      results: [{ transaction_id: 'PA-1' }],
    });
  });

  it.each([
    ['a wrong key', 'wrong', '4011'],
    ['no key', null, '4010'],
  ])('shows 401 with %s, in the page', async (_, sent, code) => {
    const page = await openReference('3.0');
    if (sent !== null) await useKey(page, sent);
    const answer = await tryList(page);
    expect(await answer.locator('.response-col_status').textContent()).toContain('401');
    expect(await answer.textContent()).toContain(`"code": ${code}`);
    browser.takeFaults(/^console: .*401 \(Unauthorized\)/);
  });

  it('sends no cookies', async () => {
    const page = await openReference('3.0');
    const url = page.url();
    await page.context().addCookies([{ name: 'session', value: 'secret', url }]);
    await useKey(page, key);
    const [request] = await Promise.all([page.waitForRequest(/transactions/), tryList(page)]);
    const headers = await request.allHeaders();
    expect(headers.authorization).toBe(`Basic ${Buffer.from(`${key}:x`).toString('base64')}`);
    expect(headers).not.toHaveProperty('cookie');
    const command = page.locator('.curl-command pre');
    await command.waitFor();
    expect(await command.textContent()).toContain('-u "$API_KEY:x"');
    expect(await command.textContent()).not.toMatch(/authorization/i);
    for (const example of ['if-none-match', 'x-request-id']) {
      expect(headers).not.toHaveProperty(example);
    }
  });
});

/** Swagger UI computes colours when it shows something, so each scheme has a page of its own. */
describe.each(['light', 'dark'] as const)(
  'axe-core finds nothing, and nothing is too wide: %s',
  (colorScheme) => {
    it.each(VERSIONS)('version %s, as it opens', async (version) => {
      const page = await openReference(version, { colorScheme });
      await expectFitsIn(page, colorScheme);
    });

    it('an answer', async () => {
      const page = await openReference('3.0', { colorScheme });
      await useKey(page, key);
      await tryList(page);
      await expectFitsIn(page, colorScheme);
    });

    it('an operation that writes, as JSON and as a form, and its schemas', async () => {
      const page = await openReference('2.1', { colorScheme });
      const operation = await openOperation(page, 'setRelationship');
      await expectFitsIn(page, colorScheme);
      await operation
        .getByLabel('Request content type')
        .selectOption('application/x-www-form-urlencoded');
      for (const tab of await operation.getByRole('tab', { name: 'Schema' }).all())
        await tab.click();
      await expectFitsIn(page, colorScheme);
    });
  },
);

describe('the guide', () => {
  const shown = (page: Page) => page.locator('figure:visible figcaption a').allTextContents();

  it('is linked from the home page and from the reference', async () => {
    const page = await browser.open(service.port, '/');
    await page.getByRole('main').getByRole('link', { name: 'Guide', exact: true }).click();
    await page.getByRole('heading', { name: 'First call' }).waitFor();
    await page.goto('/docs');
    await page
      .getByRole('navigation', { name: 'Site' })
      .getByRole('link', { name: 'Guide' })
      .click();
    await page.getByRole('heading', { name: 'First call' }).waitFor();
  });

  it.each([true, false])(
    'shows one language at a time (scripts: %s)',
    async (javaScriptEnabled) => {
      const page = await browser.open(service.port, '/docs/guide', { javaScriptEnabled });
      expect(await shown(page)).toContain('client.sh');
      await page.getByRole('radio', { name: 'PHP' }).check();
      const files = await shown(page);
      expect(files).toContain('client.php');
      expect(files.filter((file) => !file.endsWith('.php'))).toEqual([]);
    },
  );

  it('copies a snippet unchanged', async () => {
    const page = await browser.open(service.port, '/docs/guide');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('radio', { name: 'Python' }).check();
    await page.getByRole('button', { name: 'Copy client.py' }).click();
    await page.getByText('Copied.').waitFor();
    const { text } = await service.send({ path: '/docs/guide/client.py' });
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(text);
  });

  it('marks the part that is read in the list of its parts', async () => {
    const page = await browser.open(service.port, '/docs/guide');
    const marked = page.locator('#parts [aria-current="location"]');
    await page.locator('#parts a[aria-current]', { hasText: 'First call' }).waitFor();
    await page.locator('#parts').getByRole('link', { name: 'Paging' }).click();
    await page.locator('#parts a[aria-current]', { hasText: 'Paging' }).waitFor();
    expect(await marked.count()).toBe(1);
  });

  it('breaks no rule of accessibility, nor is wider than the screen', async () => {
    await expectFits(await browser.open(service.port, '/docs/guide'));
  });
});
