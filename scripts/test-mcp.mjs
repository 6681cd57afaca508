// Runs the official conformance suite of the Model Context Protocol against the built service, for
// both revisions. conformance/expected-failures.yml lists what does not apply. Usage: `npm run
// test:mcp`
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VENDOR, withDemoService } from './demo-service.mjs';

const REVISIONS = ['2026-07-28', '2025-11-25'];
const LIMIT_MS = 120_000;

const folder = mkdtempSync(join(tmpdir(), 'vendor-reporting-mcp-'));
try {
  cpSync(join(import.meta.dirname, 'conformance'), folder, { recursive: true });
  execFileSync('npm', ['ci', '--loglevel=error', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: 'inherit',
  });
  await withDemoService(async (caller) => {
    const url = new URL(await caller.app.getUrl());
    const proxy = await listening(proxyWith(url, await caller.keyOf(VENDOR)));
    for (const revision of REVISIONS) await runSuite(revision, proxy.address().port);
    proxy.close();
    proxy.closeAllConnections();
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Returns a server that adds the key to each request, because the suite sends none. */
function proxyWith({ hostname, port }, key) {
  return createServer((incoming, response) => {
    const { method, url: path, headers } = incoming;
    const sent = { ...headers, authorization: `Bearer ${key}` };
    const outgoing = request({ hostname, port, method, path, headers: sent }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(outgoing);
  });
}

async function listening(server) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** @throws Error if a scenario fails that is not listed, or one that is listed passes */
async function runSuite(revision, port) {
  const suite = 'node_modules/@modelcontextprotocol/conformance/dist/index.js';
  const address = ['--url', `http://127.0.0.1:${port}/mcp`, '--output-dir', 'results'];
  const scenarios = ['--requirements', revision, '--expected-failures', 'expected-failures.yml'];
  const args = ['--import', './node-20.mjs', suite, 'server', ...address, ...scenarios];
  const child = spawn(process.execPath, args, { cwd: folder, timeout: LIMIT_MS });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => (printed += text));
  }
  const [status] = await once(child, 'close');
  if (status !== 0) throw new Error(`${printed}\nMCP ${revision}: exit status ${status}`);
  const [total] = /^Total: .*$/m.exec(printed);
  console.log(`MCP ${revision}: ${total}, as listed`);
}
