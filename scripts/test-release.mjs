// Tests the release archive in an empty folder: `npm ci --omit=dev` from the registry or npm's
// cache, then `npm start`, which must install and build nothing, and a call. Usage: `npm run
// test:release`
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const folder = mkdtempSync(join(tmpdir(), 'vendor-reporting-release-'));
try {
  const archive = execFileSync('node', ['scripts/release.mjs'], { encoding: 'utf8' }).trim();
  execFileSync('tar', ['-xzf', archive, '-C', folder, '--strip-components=1']);
  execFileSync('npm', ['ci', '--omit=dev', '--loglevel=error'], { cwd: folder, stdio: 'inherit' });
  await startAndCall();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function startAndCall() {
  const service = spawn('npm', ['start'], {
    cwd: folder,
    env: { ...process.env, PORT: '0', MANAGEMENT_PORT: 'off' },
    stdio: ['ignore', 'pipe', 'pipe'],
    // The process group makes a signal also reach the child processes of npm.
    detached: true,
  });
  try {
    let printed = '';
    service.stderr.on('data', (text) => (printed += text));
    const url = await urlOf(service);
    const { status } = await fetch(new URL('/v3.0', url));
    if (status !== 401) throw new Error(`a call without a key was answered with ${status}`);
    if (/Installing|Building/.test(printed)) throw new Error(`it was not ready: ${printed}`);
    console.log('The release starts and answers.');
  } finally {
    if (service.exitCode === null) {
      process.kill(-service.pid, 'SIGTERM');
      await once(service, 'exit');
    }
  }
}

async function urlOf({ stdout }) {
  for await (const line of createInterface({ input: stdout })) {
    const [, url] = /listens on (http:\S+)/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error('npm start ended before it listened');
}
