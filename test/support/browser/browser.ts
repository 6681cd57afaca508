import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import axe, { type AxeResults } from 'axe-core';
import type { Browser, BrowserContext, Page, Route } from 'playwright-core';
import { startChromium } from '../../../scripts/chromium.mjs';

/** Settings of the browser for a page. */
export interface Look {
  /** Width of the window in CSS pixels. */
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
  readonly javaScriptEnabled?: boolean;
}

const HEIGHT = 800;
/** Time limit for a page to show something. A busy machine may need most of it. */
const LIMIT_MS = 100_000;
/**
 * Reports violations of the content security policy in the console, where browsers do not always
 * report them.
 */
const TELL_VIOLATIONS = `addEventListener('securitypolicyviolation', (event) => {
  console.error('CSP: ' + event.effectiveDirective + ' refused ' + event.blockedURI);
});`;

/**
 * A browser for the tests of a file. A test fails if a page it opened has a fault: errors in the
 * console, uncaught errors, requests that fail or leave this machine, or violations of the content
 * security policy.
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

  /** Opens a page of a server on this machine, with separate cookies and storage. */
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
      // Requests that the browser aborts because it navigates or downloads have not failed.
      if (why !== 'net::ERR_ABORTED') this.faults.push(`request: ${request.url()} ${why}`);
    });
    context.setDefaultTimeout(LIMIT_MS);
    const page = await context.newPage();
    await page.goto(path);
    return page;
  }

  /** Expects faults that a test provokes, and removes them. */
  takeFaults(pattern: RegExp): void {
    expect(this.faults).toContainEqual(expect.stringMatching(pattern));
    this.faults = this.faults.filter((fault) => !pattern.test(fault));
  }

  /**
   * Closes all pages.
   * @throws Error if a page had a fault
   */
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

/** Shares one browser among the tests of a file, and checks its faults after each test. */
export function useBrowser(): TestBrowser {
  const browser = new TestBrowser();
  beforeAll(() => browser.start());
  afterEach(() => browser.closePages());
  afterAll(() => browser.stop());
  return browser;
}

/** Widths of a phone and of a common screen, in CSS pixels. */
const WIDTHS = [360, 1280];
/**
 * Options of axe-core for each color scheme. All rules apply to a light page. A dark page can only
 * break rules about colors, of which the default ones apply.
 */
const RULES = {
  light: '{}',
  dark: "{ runOnly: ['cat.color'], rules: { 'color-contrast-enhanced': { enabled: false } } }",
} as const;
/** Disables transitions, so that colors are not checked while they change. */
const WITHOUT_TRANSITIONS = `(() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('*, ::before, ::after { transition: none !important }');
  document.adoptedStyleSheets.push(sheet);
})()`;

/**
 * Expects that the page in its current state breaks none of axe-core's rules and is no wider than
 * the screen: on a phone and on a wide screen, light and dark. Afterwards it restores the size and
 * color scheme.
 */
export async function expectFits(page: Page): Promise<void> {
  await expectFitsIn(page, 'light');
  await expectFitsIn(page, 'dark');
  await page.emulateMedia({ colorScheme: null });
}

/** Expects the same as `expectFits` in one color scheme. */
export async function expectFitsIn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  // The page is checked only once its styles are loaded.
  await page.waitForLoadState();
  await page.evaluate(WITHOUT_TRANSITIONS);
  const before = page.viewportSize();
  await page.emulateMedia({ colorScheme });
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    await expectNoAxeViolations(page, RULES[colorScheme]);
    const at = { page: page.url(), width };
    const scrolled = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect({ ...at, isFitting: scrolled <= width }).toEqual({ ...at, isFitting: true });
  }
  if (before !== null) await page.setViewportSize(before);
}

/** @param options options of axe-core, as JavaScript */
async function expectNoAxeViolations(page: Page, options: string): Promise<void> {
  // A script element would need an exception in the page's content security policy; `evaluate`
  // needs none.
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(axe.source);
  // Descriptions of passed elements are left out, because they take most of the time.
  const { violations, passes } = await page.evaluate<AxeResults>(
    `axe.run(document, { ...${options}, resultTypes: ['violations'], selectors: false })`,
  );
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary ?? ''}`),
  );
  expect({ page: page.url(), found }).toEqual({ page: page.url(), found: [] });
  expect(passes.length).toBeGreaterThan(0);
}
