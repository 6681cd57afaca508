import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import axe, { type AxeResults } from 'axe-core';
import type { Browser, BrowserContext, Page, Route } from 'playwright-core';
import { startChromium } from '../../../scripts/chromium.mjs';

/** What a page is looked at with. */
export interface Look {
  /** In CSS pixels. */
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
  readonly javaScriptEnabled?: boolean;
}

const HEIGHT = 800;
/** For what a page is to show: a busy machine may need most of it. */
const LIMIT_MS = 100_000;
/** Its violations are faults of the page, whether it tells them in the console or not. */
const TELL_VIOLATIONS = `addEventListener('securitypolicyviolation', (event) => {
  console.error('CSP: ' + event.effectiveDirective + ' refused ' + event.blockedURI);
});`;

/**
 * A browser for the tests of a file. What a page complains of fails the test that opened it: errors
 * in its console, errors that nobody caught, requests that failed or that leave this machine, and
 * violations of its content security policy.
 */
export class TestBrowser {
  private browser: Browser | undefined;
  private readonly contexts: BrowserContext[] = [];
  private faults: string[] = [];

  async start(): Promise<void> {
    const program = process.env.TEST_CHROMIUM;
    if (program === undefined) throw new Error('TEST_CHROMIUM is not set');
    this.browser = await startChromium(program);
  }

  /** Opens a page of a server of this machine, with cookies and a memory of its own. */
  async open(port: number, path: string, look: Look = {}): Promise<Page> {
    if (this.browser === undefined) throw new Error('the browser was not started');
    const { width = 1280, colorScheme = 'light', javaScriptEnabled = true } = look;
    const context = await this.browser.newContext({
      baseURL: `http://127.0.0.1:${port}`,
      viewport: { width, height: HEIGHT },
      colorScheme,
      javaScriptEnabled,
      reducedMotion: 'reduce',
    });
    this.contexts.push(context);
    await context.route('**/*', (route) => this.keepInside(route));
    await context.addInitScript(TELL_VIOLATIONS);
    context.on('console', (message) => {
      if (message.type() === 'error') this.faults.push(`console: ${message.text()}`);
    });
    context.on('weberror', (error) => this.faults.push(`error: ${error.error().message}`));
    context.on('requestfailed', (request) => {
      const why = request.failure()?.errorText ?? '';
      // What the browser gives up when it goes on to another page, or keeps as a file, did not fail.
      if (why !== 'net::ERR_ABORTED') this.faults.push(`request: ${request.url()} ${why}`);
    });
    context.setDefaultTimeout(LIMIT_MS);
    const page = await context.newPage();
    await page.goto(path);
    return page;
  }

  /** For what a test provokes: faults of this kind there must be, and they are forgotten. */
  takeFaults(pattern: RegExp): void {
    expect(this.faults).toContainEqual(expect.stringMatching(pattern));
    this.faults = this.faults.filter((fault) => !pattern.test(fault));
  }

  /** Closes all pages. @throws Error where one had a fault */
  async closePages(): Promise<void> {
    for (const context of this.contexts.splice(0)) await context.close();
    const faults = this.faults.splice(0);
    expect(faults).toEqual([]);
  }

  async stop(): Promise<void> {
    await this.browser?.close();
  }

  private async keepInside(route: Route): Promise<void> {
    const url = route.request().url();
    if (new URL(url).hostname === '127.0.0.1') {
      await route.continue();
      return;
    }
    this.faults.push(`left this machine: ${url}`);
    await route.abort();
  }
}

/** One browser for the file that calls this, judged after each of its tests. */
export function useBrowser(): TestBrowser {
  const browser = new TestBrowser();
  beforeAll(() => browser.start());
  afterEach(() => browser.closePages());
  afterAll(() => browser.stop());
  return browser;
}

/** A phone, and a screen that people often have, in CSS pixels. */
const WIDTHS = [360, 1280];
/**
 * The options of axe-core for each colour scheme. All rules apply to a light page. A dark one can break only
 * those of colours: the ones that are on by default.
 */
const RULES = {
  light: '{}',
  dark: "{ runOnly: ['cat.color'], rules: { 'color-contrast-enhanced': { enabled: false } } }",
} as const;
/** Colours that fade into others would be judged on their way. */
const WITHOUT_TRANSITIONS = `(() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('*, ::before, ::after { transition: none !important }');
  document.adoptedStyleSheets.push(sheet);
})()`;

/**
 * Expects that the page, as it stands, breaks none of axe-core's rules and is no wider than the screen, on a
 * phone and on a wide screen, light and dark. Afterwards it has the look that it had.
 */
export async function expectFits(page: Page): Promise<void> {
  await expectFitsIn(page, 'light');
  await expectFitsIn(page, 'dark');
  await page.emulateMedia({ colorScheme: null });
}

/** Expects the same in one colour scheme. */
export async function expectFitsIn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  // A page without its styles yet is not what a person sees.
  await page.waitForLoadState();
  await page.evaluate(WITHOUT_TRANSITIONS);
  const before = page.viewportSize();
  await page.emulateMedia({ colorScheme });
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    await expectNoAxeViolations(page, RULES[colorScheme]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  }
  if (before !== null) await page.setViewportSize(before);
}

/** @param options of axe-core, as JavaScript */
async function expectNoAxeViolations(page: Page, options: string): Promise<void> {
  // A script element would need a hole in the policy of the page; this needs none.
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(axe.source);
  // Passed elements are not described: that takes most of the time.
  const { violations, passes } = await page.evaluate<AxeResults>(
    `axe.run(document, { ...${options}, resultTypes: ['violations'], selectors: false })`,
  );
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary ?? ''}`),
  );
  expect({ page: page.url(), found }).toEqual({ page: page.url(), found: [] });
  expect(passes.length).toBeGreaterThan(0);
}
