// Runs loads against the targets in turns and takes the median of the rounds.
import { run } from './processes.mjs';
import { hasWrk, wrkRate } from './wrk.mjs';

const CONNECTIONS = 8;
const WARM_UP_SECONDS = 1;

/**
 * @param {{ load: object, targets: object, keys: object, database: object, seconds: number,
 *   rounds: number }} options
 * @returns {Promise<object[]>} one result per target, in the order of the turns
 */
export async function measure({ load, targets, keys, database, seconds, rounds }) {
  const names = Object.keys(load.targets);
  const results = new Map(names.map((name) => [name, []]));
  const jobOf = async (name, slot) => {
    const paths = load.targets[name](slot);
    const conditional = load.conditional === true && name === 'service';
    const { origin } = targets[name];
    const headers = await headersOf(origin, paths, keys[load.key], conditional);
    return headers && { origin, headers, paths };
  };
  for (let round = -1; round < rounds; round += 1) {
    for (const name of names) {
      // The slot after the last round is that of the warm-up.
      const job = await jobOf(name, round < 0 ? rounds : round);
      if (job === null) continue;
      const time = round < 0 ? WARM_UP_SECONDS : seconds;
      if (name === 'naive') await database.showNaiveIndex(true);
      const label = `${load.name} on ${name}`;
      const result = await loadTarget(job, time, label);
      await database.settled();
      if (round >= 0) {
        // This generator has paths of its own, so that no recently cached page is used.
        const wrk = hasWrk ? await jobOf(name, rounds + 1 + round) : null;
        if (wrk !== null)
          result.wrk = wrkRate({ ...wrk, connections: CONNECTIONS, seconds }, label);
        await database.settled();
        results.get(name).push(result);
      }
      if (name === 'naive') await database.showNaiveIndex(false);
    }
  }
  return names
    .filter((name) => results.get(name).length > 0)
    .map((name) => summary(load.name, name, results.get(name)));
}

/**
 * Returns the number of slots of paths for `rounds` rounds with each generator, and for the
 * warm-up.
 */
export function slotsFor(rounds) {
  return (hasWrk ? 2 : 1) * rounds + 1;
}

/** @returns {Promise<object>} requests per second and times of a target under a load */
export async function loadTarget(job, seconds, label) {
  const input = JSON.stringify({ ...job, seconds, connections: CONNECTIONS });
  const result = JSON.parse((await run(['bench/load.mjs'], { input })).output);
  const bad = Object.keys(result.statuses).filter((status) => !/^(2..|304)$/.test(status));
  if (bad.length > 0) throw new Error(`${label}: answered ${bad.join(', ')}`);
  if (result.errors > 0) throw new Error(`${label}: ${result.errors} requests failed`);
  return { ...result, available: job.paths.length };
}

/** @returns {Promise<object | null>} the headers, or null if they need an ETag and there is none */
async function headersOf(origin, paths, headers, conditional) {
  if (!conditional) return headers;
  const response = await fetch(origin + paths[0], { headers });
  await response.arrayBuffer();
  const etag = response.headers.get('etag');
  return etag === null ? null : { ...headers, 'if-none-match': etag };
}

function summary(load, target, rounds) {
  const of = (field) => median(rounds.map((round) => round[field]));
  return {
    load,
    target,
    rate: of('rate'),
    wrk: hasWrk ? of('wrk') : null,
    p50: of('p50'),
    p99: of('p99'),
    available: Math.min(...rounds.map(({ available }) => available)),
    asked: Math.max(...rounds.map(({ asked }) => asked)),
  };
}

export function median(values) {
  const sorted = values.filter((value) => value !== null).sort((left, right) => left - right);
  if (sorted.length === 0) return null;
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** @param {number[]} sorted the values in ascending order */
export function quantile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}
