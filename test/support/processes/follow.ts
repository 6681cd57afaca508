import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCli, type Ended } from './cli.js';

/** URL of a database that does not exist. The `follow` command needs no database. */
export const NO_DATABASE = 'mysql://nobody@127.0.0.1:9/none';

export interface Followed {
  /** Address of the service. */
  readonly url: string;
  readonly key: string;
  /** A folder of the test. */
  readonly folder: string;
}

/** Returns the arguments of `follow`, and writes the key to a file. */
export function followArgs(
  { url, key, folder }: Followed,
  into: string,
  ...more: string[]
): string[] {
  const keyFile = join(folder, `key-${key.slice(-8)}`);
  writeFileSync(keyFile, `${key}\n`);
  chmodSync(keyFile, 0o600);
  return ['follow', '--url', url, '--key-file', keyFile, '--into', into, ...more];
}

export function followOnce(followed: Followed, into: string, ...more: string[]): Promise<Ended> {
  return runCli(NO_DATABASE, followArgs(followed, into, '--once', ...more));
}
