import { readFileSync, statSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { Command, InvalidArgumentError } from 'commander';
import { isError } from '../../common/errors/is-error.js';
import { assertSqliteIsSafe } from '../../database/sqlite/sqlite-support.js';
import { CopyFile } from '../../follower/copy-file.js';
import { FeedClient } from '../../follower/feed-client.js';
import { FollowError } from '../../follower/follow-error.js';
import { follow, type FollowProgress } from '../../follower/follower.js';
import { printError, printJson } from '../output.js';

interface Options {
  readonly url: string;
  readonly keyFile: string;
  readonly into: string;
  readonly once: boolean;
  readonly json: boolean;
}

const FAILED = 1;
const OF_OTHERS = 0o077;

/** `follow`: a copy of a vendor's ledger in a SQLite file, by HTTP alone. */
export function followCommand(): Command {
  return new Command('follow')
    .description('copy the ledger of an API key into a SQLite file, and follow its changes')
    .requiredOption(
      '--url <url>',
      'where the service is, such as https://api.example.com',
      parseUrl,
    )
    .requiredOption('--key-file <file>', 'a file with only the API key')
    .requiredOption('--into <file>', 'the SQLite file; it is made, or continued')
    .option('--once', 'end when the copy is up to date', false)
    .option('--json', 'print the state after each page as one JSON object', false)
    .action(runFollow);
}

async function runFollow({ url, keyFile, into, once, json }: Options): Promise<void> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      stop.abort();
    });
  }
  try {
    assertSqliteIsSafe(process.versions.node);
    const key = readKey(keyFile);
    const copy = new CopyFile(into, url);
    try {
      const client = new FeedClient({ url, key, stopped: stop.signal, onProblem: printError });
      await follow(client, copy, { once, onProgress: json ? printJson : reporter() });
    } finally {
      copy.close();
    }
  } catch (error) {
    if (stop.signal.aborted) return;
    if (!(error instanceof FollowError)) throw error;
    printError(`Cannot follow: ${error.message}`);
    process.exitCode = FAILED;
  }
}

/** A line whenever the copy has become up to date. */
function reporter(): (progress: FollowProgress) => void {
  let changes = 0;
  return (progress) => {
    changes += progress.changes;
    if (progress.has_more || (changes === 0 && progress.changes === 0)) return;
    if (changes > 0) printError(`${changes} changes; up to date at the cursor ${progress.cursor}`);
    changes = 0;
  };
}

/** The key is never an argument: the process list and the shell history would show it. */
function readKey(file: string): string {
  try {
    if ((statSync(file).mode & OF_OTHERS) !== 0) {
      printError(`Warning: others can read ${file}. Run chmod 600 on it.`);
    }
    const key = readFileSync(file, 'utf8').trim();
    if (key !== '') return key;
  } catch (error) {
    throw new FollowError(`${file}: cannot be read: ${isError(error) ? error.message : ''}`);
  }
  throw new FollowError(`${file} is empty`);
}

/** @throws InvalidArgumentError if the key would be sent in the clear over a network */
function parseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url?.protocol === 'http:';
  if (url === null || (!isPlain && url.protocol !== 'https:')) {
    throw new InvalidArgumentError('It must be a URL: https://api.example.com');
  }
  if (url.username !== '' || url.search !== '' || url.hash !== '') {
    throw new InvalidArgumentError('It must have no user, query or fragment.');
  }
  if (isPlain && !isLoopback(url.hostname)) {
    throw new InvalidArgumentError('It must be https, except for this machine.');
  }
  return url.href.endsWith('/') ? url.href.slice(0, -1) : url.href;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || (isIPv4(host) && host.startsWith('127.'));
}
