// Loads a target with wrk, if it is installed. Our own generator uses a part of the machine, which
// makes fast targets look alike.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '../scripts/find-program.mjs';

const WRK = findProgram(['wrk']);
export const hasWrk = WRK !== null;

/**
 * @returns {number} requests per second; each path is requested once, and then all of them again
 */
export function wrkRate({ origin, headers, paths, connections, seconds }, label) {
  const folder = mkdtempSync(join(tmpdir(), 'vendor-reporting-wrk-'));
  try {
    const script = join(folder, 'load.lua');
    writeFileSync(script, luaOf(paths, headers));
    const args = [
      '-t1',
      `-c${connections}`,
      `-d${seconds}s`,
      '--timeout',
      '600s',
      '-s',
      script,
      origin,
    ];
    const { stdout, status } = spawnSync(WRK, args, { encoding: 'utf8' });
    const rate = /Requests\/sec:\s+([\d.]+)/.exec(stdout ?? '');
    if (status !== 0 || rate === null) throw new Error(`${label}: wrk failed`);
    if (/Non-2xx or 3xx/.test(stdout)) throw new Error(`${label}: ${stdout}`);
    return Number(rate[1]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function luaOf(paths, headers) {
  const fields = Object.entries(headers).map(
    ([name, value]) => `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`,
  );
  return `local paths = {${paths.map((path) => JSON.stringify(path)).join(',\n')}}
${fields.join('\n')}
local next = 0
function request()
  next = next % #paths + 1
  return wrk.format("GET", paths[next])
end
`;
}
