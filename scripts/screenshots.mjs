// Takes screenshots of every page with demo data, narrow and wide, light and dark. They are not
// committed. Usage: `npm run screenshots [-- --out FOLDER]`. With `--readme` it takes only the
// pictures of README.md, which are committed.
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findChromium, startChromium } from './chromium.mjs';
import { VENDOR, withDemoService } from './demo-service.mjs';

const WIDTHS = [390, 768, 1280, 1920];
const SCHEMES = ['light', 'dark'];
const HEIGHT = 800;

/** A month of the demo data. */
const RANGE = 'from=2025-05-01&to=2025-05-31';
const PASSWORD = 'a password of the screenshots';

/**
 * Pages with their paths. `prepare` brings an opened page into the state of the screenshot,
 * including a sign-in.
 */
const PAGES = [
  ...['3.0', '2.1', '2.0'].map((version) => ({
    name: `docs-v${version}`,
    path: `/docs/v${version}`,
    prepare: (page) => page.locator('.opblock').first().waitFor(),
  })),
  { name: 'docs-tried', path: '/docs#start', prepare: tryList },
  { name: 'docs-write', path: '/docs/v2.1', prepare: (page) => open(page, 'setRelationship') },
  { name: 'start', path: '/', prepare: () => undefined },
  { name: 'components', path: '/docs/components', prepare: () => undefined },
  { name: 'sign-in', path: '/account/sign-in', prepare: () => undefined },
  { name: 'password-link-ended', path: '/account/password/none', prepare: () => undefined },
  ...[
    ['report', `/account/reports?${RANGE}`],
    ['report-all-time', '/account/reports?range=all-time'],
    ['report-by-sale', `/account/reports?${RANGE}&refunds=sale`],
    ['report-compared-with-year', `/account/reports?${RANGE}&compare=year`],
    ['report-of-affiliate', `/account/reports?${RANGE}&as=affiliate`],
    ['report-of-no-range', '/account/reports?from=2025-02-30&to=2025-02-01'],
    ['report-of-nothing', '/account/reports?from=2020-05-01&to=2020-05-31'],
    ['cohorts', '/account/reports/cohorts'],
    ['cohorts-of-product', '/account/reports/cohorts?returns=refunds&share=money'],
    ['transactions', `/account/reports/transactions?${RANGE}&kind=sales`],
    ['transaction', `/account/reports/transactions?${RANGE}&kind=refunds`, openFirst],
    ['refunds-of-affiliate', `/account/reports/transactions?${RANGE}&kind=refunds&as=affiliate`],
    ['affiliates', `/account/affiliates?${RANGE}`],
    ['affiliate', `/account/affiliates/2001?${RANGE}`],
    ['affiliate-terms', '/account/affiliates/2001/terms?product=101'],
    ['subscriptions', '/account/subscriptions'],
    ['subscriptions-canceled', '/account/subscriptions?list=canceled'],
    ['tracking', `/account/tracking?${RANGE}&field=utm_source`],
    ['data-protection', '/account/data-protection'],
    ['own-tracking', '/account/earnings/tracking?range=all-time'],
    ['tracking-all-time', '/account/tracking?range=all-time&field=tid'],
    [
      'transactions-filtered',
      `/account/reports/transactions?${RANGE}&status=settled&amount_from=20`,
    ],
    ['search', '/account/search?q=example'],
    ['search-found', '/account/search?q=PA-'],
    ['applications', '/account/applications'],
    ['application', '/account/applications/1'],
    ['security', '/account/security'],
    ['two-factor', '/account/security/two-factor'],
    ['not-found', '/account/no-such-page'],
  ].map(([name, path, then = () => undefined]) => ({
    name,
    path,
    prepare: async (page, caller) => {
      await signIn(page, caller);
      await then(page);
    },
  })),
];

/** The pictures of README.md: the reports page of the month of the launch, at most 200 KB each. */
const PICTURED = 'from=2025-04-01&to=2025-04-30';
const PICTURES = 'docs/pictures';
const PICTURE = { width: 1280, height: 960 };
const MAX_PICTURE_BYTES = 200_000;

const { out, readme } = parseArgs({
  options: {
    out: { type: 'string', default: 'data/screenshots' },
    readme: { type: 'boolean', default: false },
  },
}).values;
const program = findChromium();
if (program === null) {
  console.error('There is no chromium on the PATH.');
  process.exit(1);
}
mkdirSync(readme ? PICTURES : out, { recursive: true });
await withDemoService(async (caller) => {
  const browser = await startChromium(program);
  const origin = await caller.app.getUrl();
  await caller.setPassword(VENDOR, PASSWORD);
  await caller.keyOf(VENDOR);
  if (readme) await takePictures(browser, origin, caller);
  else await takeAll(browser, origin, caller);
  await browser.close();
});

async function takeAll(browser, origin, caller) {
  for (const width of WIDTHS) {
    for (const colorScheme of SCHEMES) {
      const look = { baseURL: origin, viewport: { width, height: HEIGHT }, colorScheme };
      for (const each of PAGES) await take(browser, look, each, caller);
    }
  }
}

/** Takes the pictures of README.md. @throws Error if one is too large */
async function takePictures(browser, baseURL, caller) {
  for (const colorScheme of SCHEMES) {
    const context = await browser.newContext({
      baseURL,
      viewport: PICTURE,
      colorScheme,
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    await page.goto(`/account/reports?${PICTURED}`);
    await signIn(page, caller);
    await page.waitForLoadState('networkidle');
    const path = join(PICTURES, `reports-${colorScheme}.png`);
    await page.screenshot({ path });
    console.log(path);
    if (statSync(path).size > MAX_PICTURE_BYTES) throw new Error(`${path} is too large`);
    await context.close();
  }
}

async function take(browser, look, { name, path, prepare }, caller) {
  const context = await browser.newContext({ ...look, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(path);
  await prepare(page, caller);
  const file = join(out, `${name}-${look.viewport.width}-${look.colorScheme}.png`);
  await page.screenshot({ path: file, fullPage: true });
  console.log(file);
  await context.close();
}

async function signIn(page, caller) {
  if (!page.url().includes('/sign-in')) return;
  await page.getByLabel('E-mail').fill(await caller.emailOf(VENDOR));
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => !url.pathname.endsWith('/sign-in'));
}

async function openFirst(page) {
  await page.locator('tbody th a').first().click();
  await page.locator('#transaction-id').waitFor();
}

async function open(page, operationId) {
  // The first operation is open already.
  await page.locator('.opblock.is-open').waitFor();
  const control = page.locator(`[id$="-${operationId}"] .opblock-summary-control`);
  if ((await control.getAttribute('aria-expanded')) === 'false') await control.click();
  await page.getByRole('button', { name: 'Execute' }).waitFor();
}

async function tryList(page, caller) {
  await page.getByLabel('API key').fill(await caller.keyOf(VENDOR));
  await page.getByRole('button', { name: 'Use this key' }).click();
  await open(page, 'listTransactions');
  await page.getByPlaceholder('start_date').fill('2025-06-01');
  await page.getByPlaceholder('end_date').fill('2025-06-30');
  await page.getByRole('button', { name: 'Execute' }).click();
  await page.locator('.live-responses-table').waitFor();
}
