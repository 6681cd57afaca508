import { isIPv4 } from 'node:net';
import { Command, InvalidArgumentError } from 'commander';
import { assertSqliteIsSafe } from '../../platform/database/sqlite/sqlite-support.js';
import { CopyFile, FollowError } from './copy-file.js';
import { FeedClient, follow, type FollowProgress } from './feed-client.js';
import { KeyFileError, readKeyFile } from '../../platform/commands/key-file.js';
import { printError, printJson } from '../../platform/commands/output.js';
import { stopSignal } from '../../platform/commands/stop-signal.js';

interface Options {
  readonly url: string;
  readonly keyFile: string;
  readonly into: string;
  readonly once: boolean;
  readonly json: boolean;
}

const FAILED = 1;

/**
 * Builds `follow`, which copies a vendor's ledger to a SQLite file over HTTP only
 * (docs/changes.md#a-copy-in-sqlite).
 */
export function followCommand(): Command {
  return new Command('follow')
    .description('copy the ledger of an API key into a SQLite file, and follow its changes')
    .requiredOption(
      '--url <url>',
      'where the service is, such as https://api.example.com',
      parseUrl,
    )
    .requiredOption('--key-file <file>', 'a file with only the API key; - for standard input')
    .requiredOption('--into <file>', 'the SQLite file; it is made, or continued')
    .option('--once', 'end when the copy is up to date', false)
    .option('--json', 'print the state after each page as one JSON object', false)
    .action(runFollow);
}

async function runFollow({ url, keyFile, into, once, json }: Options): Promise<void> {
  const stopped = stopSignal();
  try {
    assertSqliteIsSafe(process.versions.node);
    const key = await readKeyFile(keyFile);
    const copy = new CopyFile(into, url);
    try {
      const client = new FeedClient({ url, key, stopped, onProblem: printError });
      await follow(client, copy, { once, onProgress: json ? printJson : reporter() });
    } finally {
      copy.close();
    }
  } catch (error) {
    if (stopped.aborted) return;
    if (!(error instanceof FollowError || error instanceof KeyFileError)) throw error;
    printError(`Cannot follow: ${error.message}`);
    process.exitCode = FAILED;
  }
}

/** Returns a reporter that prints a line whenever the copy is up to date. */
function reporter(): (progress: FollowProgress) => void {
  let changes = 0;
  return (progress) => {
    changes += progress.changes;
    if (progress.has_more || (changes === 0 && progress.changes === 0)) return;
    if (changes > 0) printError(`${changes} changes; up to date at the cursor ${progress.cursor}`);
    changes = 0;
  };
}

/**
 * @throws InvalidArgumentError if the text is not a plain URL, or if the key would be sent
 * unencrypted over a network
 */
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
