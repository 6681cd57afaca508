// Follows docs/extensions.md as it is written: a checkout of the service, with an extension in a
// folder beside it. It writes the files of the page, makes its changes, and runs its commands.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { withCheckout } from './checkout.mjs';
import { makePageChanges, stepsOfPage, writePageFiles } from './page-files.mjs';

const GUIDE = 'extensions';
/** The start prints these lines. */
const ADDRESS = /listens on (\S+)/;
const KEY = /^Demo key: (\S+)/m;
const LISTED = /"transaction_id":"([^"]+)"/;
const ENVIRONMENT = {
  ...process.env,
  PORT: '0',
  MANAGEMENT_PORT: 'off',
  npm_config_prefer_offline: 'true',
};

async function follow(service) {
  // These are the same packages and the same build, so nothing is installed or built again.
  spawnSync('cp', ['-al', 'node_modules', 'dist', service], { stdio: 'ignore' });
  const guide = new Guide(service);
  try {
    for (const step of stepsOfPage(GUIDE)) if (!(await guide.take(step))) return false;
    return true;
  } finally {
    await guide.end();
  }
}

/** Follows the steps of a page. Commands run in the folder to which the page has changed. */
class Guide {
  #folder;
  #environment = ENVIRONMENT;
  #running = null;

  constructor(folder) {
    this.#folder = folder;
  }

  /** @returns false if a command fails */
  async take({ files, changes, commands }) {
    // The page names the files of the extension.
    const extension = resolve(this.#folder, '../notes');
    writePageFiles(extension, files);
    makePageChanges(extension, changes);
    for (const command of commands) if (!(await this.#run(command))) return false;
    return true;
  }

  async end() {
    if (this.#running === null) return;
    process.kill(-this.#running.pid, 'SIGTERM');
    await once(this.#running, 'exit');
    this.#running = null;
  }

  async #run(command) {
    console.log(`${GUIDE}: ${command}`);
    const [, folder] = /^cd (\S+)$/.exec(command) ?? [];
    if (folder !== undefined) {
      this.#folder = resolve(this.#folder, folder);
      return true;
    }
    if (command.endsWith('npm start')) return this.#start(command);
    const isCall = command.startsWith('curl ');
    const { status, stdout } = spawnSync('sh', ['-c', command], {
      cwd: this.#folder,
      env: this.#environment,
      encoding: 'utf8',
      stdio: ['ignore', isCall ? 'pipe' : 'inherit', 'inherit'],
    });
    if (!isCall) return status === 0;
    console.log(stdout);
    return JSON.parse(stdout).meta.status.code === 2000;
  }

  /** Starts the service, and reads what the commands after it need. */
  async #start(command) {
    const started = spawn('sh', ['-c', command], {
      cwd: this.#folder,
      env: this.#environment,
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#running = started;
    const output = await outputUntil(started.stdout, KEY);
    const [, URL = ''] = ADDRESS.exec(output) ?? [];
    const [, key = ''] = KEY.exec(output) ?? [];
    const range = 'start_date=2020-01-01&end_date=2099-12-31&page_size=1';
    const answer = await fetch(`${URL}/v3.0/transactions?${range}`, {
      headers: { Authorization: `Basic ${Buffer.from(`${key}:x`).toString('base64')}` },
    });
    const [, SALE = ''] = LISTED.exec(await answer.text()) ?? [];
    this.#environment = { ...ENVIRONMENT, URL, KEY: key, SALE };
    return SALE !== '';
  }
}

/** Reads a stream until its text matches a pattern, or it ends. Later text is dropped. */
function outputUntil(stream, pattern) {
  return new Promise((done) => {
    let output = '';
    stream.on('data', (part) => {
      output += part;
      if (pattern.test(output)) done(output);
    });
    stream.on('end', () => done(output));
  });
}

const isGood = await withCheckout('extensions', follow, 'service');
if (!isGood) console.error(`docs/${GUIDE}.md does not work.`);
process.exit(isGood ? 0 : 1);
