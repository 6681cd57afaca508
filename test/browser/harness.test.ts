import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectFits, useBrowser } from '../support/browser/browser.js';

const STRICT = "default-src 'none'; script-src 'self'; connect-src *; img-src data:";
const SCRIPTS: Readonly<Record<string, string>> = {
  '/fine.js': '',
  '/error.js': 'console.error("a complaint")',
  '/uncaught.js': 'throw new Error("nobody caught it")',
  '/promise.js': 'Promise.reject(new Error("nobody waited for it"))',
  '/eval.js': 'try { eval("1") } catch {}',
  '/outside.js': 'fetch("http://192.0.2.1/beacon").catch(() => undefined)',
  '/hung-up.js': 'fetch("/hang-up").catch(() => undefined)',
  '/missing.js': 'fetch("/nothing")',
};

const browser = useBrowser();
let server: Server;
let port: number;
beforeAll(async () => {
  server = createServer((request, response) => {
    const path = request.url ?? '';
    const script = SCRIPTS[path];
    if (path === '/hang-up') request.socket.destroy();
    else if (script !== undefined) response.end(script);
    else if (path === '/nothing' || path === '/favicon.ico') response.writeHead(404).end();
    else {
      const body = path.startsWith('/unlabelled') ? '<input>' : '<label>Key <input></label>';
      const name = new URL(path, 'http://127.0.0.1').searchParams.get('script') ?? 'fine';
      response.setHeader('Content-Security-Policy', STRICT);
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.end(`<!doctype html><html lang="en"><title>Test</title><link rel="icon" href="data:,">
        <main><h1>Test</h1>${body}</main><script src="/${name}.js"></script></html>`);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => {
  server.close();
});

describe('the browser of the tests', () => {
  it('reports no problem if there is none', async () => {
    const page = await browser.open(port, '/?script=fine');
    await expectFits(page);
  });

  it.each([
    ['error', /"console: a complaint"/],
    ['uncaught', /"error: nobody caught it"/],
    ['promise', /"error: nobody waited for it"/],
    ['eval', /"console: CSP: script-src refused eval"/],
    ['outside', /"left this machine: http:\/\/192\.0\.2\.1\/beacon"/],
    ['hung-up', /"request: \S+\/hang-up /],
    ['missing', /"console: [^"]*404/],
  ])('reports a problem: %s', async (script, fault) => {
    const page = await browser.open(port, `/?script=${script}`);
    await page.waitForLoadState('networkidle');
    await expect(browser.closePages()).rejects.toThrow(fault);
  });

  it('reports what axe-core finds', async () => {
    const page = await browser.open(port, '/unlabelled');
    await expect(expectFits(page)).rejects.toThrow(/label: <input>/);
  });
});
