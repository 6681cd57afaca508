import {
  formatLimitWindows,
  parseLimitWindows,
  type LimitWindows,
} from '../../common/limit-windows.js';
import type { SettingSource } from '../read-value.js';
import type { SettingName } from '../setting-names.js';

const EXAMPLE = '50/1s,3000/1m';
/** A client that hears nothing for longer may take the service for dead. */
const LONGEST_WAIT_SECONDS = 10;
const FAILED_KEYS = '20/1m';
const SIGN_INS = '10/1m,60/1h';
const AT_ONCE = 20;
const MOST_AT_ONCE = 10_000;
const ALL_SIGN_INS = '10/1s,300/1m';

export interface LimitSettings {
  /** For each API application that has none of its own. */
  readonly key: LimitWindows;
  /**
   * For each user: over all the user's applications without limits of their own, and the account pages.
   */
  readonly user: LimitWindows;
  /** How many requests of a user a process works on at once, the others wait; null without a bound. */
  readonly atOnce: number | null;
  /** How long a request over the limit of its application may wait for its place; 0 never. */
  readonly waitMs: number;
  /** For each address, before its key is looked at. */
  readonly address: LimitWindows;
  /** For the answers 401 to each address. */
  readonly failedKeys: LimitWindows;
  /** For the tries to sign in to the account pages, of each address and with each e-mail. */
  readonly signIns: LimitWindows;
  /** The same for everybody together. */
  readonly allSignIns: LimitWindows;
  /** Where all instances count together, or null. */
  readonly redisUrl: string | null;
}

/** Reads what begins with THROTTLE_, and REDIS_URL. */
export function readLimits(environment: SettingSource): LimitSettings {
  const key = readWindows(environment, 'THROTTLE_LIMITS', EXAMPLE);
  // Who turns the limits off means all of them that are not set themselves.
  const unlessOff = (fallback: string) => (key.length === 0 ? 'off' : fallback);
  return {
    key,
    user: readWindows(environment, 'THROTTLE_USER_LIMITS', formatLimitWindows(twice(key))),
    atOnce: readAtOnce(environment, unlessOff(String(AT_ONCE))),
    waitMs: readWait(environment),
    address: readWindows(environment, 'THROTTLE_ADDRESS_LIMITS', 'off'),
    failedKeys: readWindows(environment, 'THROTTLE_FAILED_KEYS', unlessOff(FAILED_KEYS)),
    signIns: readWindows(environment, 'THROTTLE_SIGN_INS', unlessOff(SIGN_INS)),
    allSignIns: readWindows(environment, 'THROTTLE_ALL_SIGN_INS', unlessOff(ALL_SIGN_INS)),
    redisUrl: readRedisUrl(environment),
  };
}

function twice(windows: LimitWindows): LimitWindows {
  return windows.map(({ requests, seconds }) => ({ requests: 2 * requests, seconds }));
}

function readWindows(
  environment: SettingSource,
  variable: SettingName,
  fallback: string,
): LimitWindows {
  const windows = parseLimitWindows(environment.valueOf(variable) ?? fallback);
  const problem = 'must be off, or requests/time with commas between, each time once and up to 31d';
  return windows ?? environment.wrong({ variable, problem, example: EXAMPLE }, []);
}

function readAtOnce(environment: SettingSource, fallback: string): number | null {
  const value = environment.valueOf('THROTTLE_AT_ONCE') ?? fallback;
  if (value === 'off') return null;
  if (/^[1-9]\d{0,4}$/.test(value) && Number(value) <= MOST_AT_ONCE) return Number(value);
  const problem = `must be off, or a whole number from 1 to ${MOST_AT_ONCE}`;
  return environment.wrong(
    { variable: 'THROTTLE_AT_ONCE', problem, example: String(AT_ONCE) },
    null,
  );
}

function readWait(environment: SettingSource): number {
  const value = environment.valueOf('THROTTLE_WAIT') ?? '1';
  const isSeconds = /^\d{1,2}(?:\.\d{1,3})?$/.test(value);
  if (isSeconds && Number(value) <= LONGEST_WAIT_SECONDS) return Math.round(Number(value) * 1_000);
  const problem = `must be a number of seconds from 0 to ${LONGEST_WAIT_SECONDS}`;
  return environment.wrong({ variable: 'THROTTLE_WAIT', problem, example: '1' }, 0);
}

/** Its message never repeats the value, which may hold a password. */
function readRedisUrl(environment: SettingSource): string | null {
  const value = environment.valueOf('REDIS_URL');
  if (value === undefined) return null;
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url === null || !/^rediss?:$/.test(url.protocol) || url.hostname === '') {
    const problem = 'must begin with redis:// or rediss:// and name a host';
    const example = 'redis://localhost:6379';
    return environment.wrong({ variable: 'REDIS_URL', problem, example }, null);
  }
  return value;
}
