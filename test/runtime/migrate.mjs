import { execFileSync } from 'node:child_process';

/** Gives an empty database the current schema by running the built command. */
export function migrate(url) {
  execFileSync(process.execPath, ['dist/cli.js', 'migrate'], {
    env: { ...process.env, NODE_OPTIONS: '', DATABASE_URL: url },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
