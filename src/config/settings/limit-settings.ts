import {
  formatLimitWindows,
  parseLimitWindows,
  type LimitWindows,
} from '../../platform/limits/limit-windows.js';
import type { SettingSource } from '../read-value.js';

const EXAMPLE = '50/1s,3000/1m';
/** Maximum of THROTTLE_WAIT, because clients may time out after longer waits. */
const MAX_WAIT_SECONDS = 10;
const FAILED_KEYS = '20/1m';
const SIGN_INS = '10/1m,60/1h';
/**
 * Default of THROTTLE_CODES. Three of a million codes are right at any time, so an attacker has one
 * chance in about 7,000 per day.
 */
const CODES = '5/1m,20/1h,50/1d';
const AT_ONCE = 20;
const MAX_AT_ONCE = 10_000;
const ALL_SIGN_INS = '10/1s,300/1m';

export type LimitSettings = Readonly<ReturnType<typeof readLimits>>;

/** Reads the settings THROTTLE_* and REDIS_URL. */
export function readLimits(environment: SettingSource) {
  const key = readWindows(environment, 'THROTTLE_LIMITS', EXAMPLE);
  const twice = key.map(({ requests, seconds }) => ({ requests: 2 * requests, seconds }));
  // THROTTLE_LIMITS=off also turns off these limits, unless they are set.
  const unlessOff = (fallback: string) => (key.length === 0 ? 'off' : fallback);
  return {
    /** Limits per API application without its own limits. */
    key,
    /** Limits per user, over all applications without their own limits and the account pages. */
    user: readWindows(environment, 'THROTTLE_USER_LIMITS', formatLimitWindows(twice)),
    /**
     * Maximum number of concurrent requests per user and process; further ones wait. Null for no
     * limit.
     */
    atOnce: readAtOnce(environment, unlessOff(String(AT_ONCE))),
    /**
     * Time that a request over the limit of its application may wait; 0 to reject it immediately.
     */
    waitMs: readWait(environment),
    /** Limits per client address, applied before the key is checked. */
    address: readWindows(environment, 'THROTTLE_ADDRESS_LIMITS', 'off'),
    /** Limits for 401 responses per client address. */
    failedKeys: readWindows(environment, 'THROTTLE_FAILED_KEYS', unlessOff(FAILED_KEYS)),
    /**
     * Limits for sign-in attempts on the account pages, per client address and per e-mail address.
     */
    signIns: readWindows(environment, 'THROTTLE_SIGN_INS', unlessOff(SIGN_INS)),
    /** Limits for all sign-in attempts together. */
    allSignIns: readWindows(environment, 'THROTTLE_ALL_SIGN_INS', unlessOff(ALL_SIGN_INS)),
    /** Limits for attempts with two-factor codes, per user. */
    codes: readWindows(environment, 'THROTTLE_CODES', unlessOff(CODES)),
    /** URL of the Redis server that counts for all instances together; null for none. */
    redisUrl: readRedisUrl(environment),
  };
}

function readWindows(environment: SettingSource, variable: string, fallback: string): LimitWindows {
  const windows = parseLimitWindows(environment.valueOf(variable) ?? fallback);
  const problem = 'must be off, or a list of requests/time, each time different and at most 31d';
  return windows ?? environment.invalid(variable, problem, EXAMPLE, []);
}

function readAtOnce(environment: SettingSource, fallback: string): number | null {
  const value = environment.valueOf('THROTTLE_AT_ONCE') ?? fallback;
  if (value === 'off') return null;
  if (/^[1-9]\d{0,4}$/.test(value) && Number(value) <= MAX_AT_ONCE) return Number(value);
  const problem = `must be off, or an integer from 1 to ${MAX_AT_ONCE}`;
  return environment.invalid('THROTTLE_AT_ONCE', problem, String(AT_ONCE), null);
}

function readWait(environment: SettingSource): number {
  const value = environment.valueOf('THROTTLE_WAIT') ?? '1';
  const isSeconds = /^\d{1,2}(?:\.\d{1,3})?$/.test(value);
  if (isSeconds && Number(value) <= MAX_WAIT_SECONDS) return Math.round(Number(value) * 1_000);
  const problem = `must be a number of seconds from 0 to ${MAX_WAIT_SECONDS}`;
  return environment.invalid('THROTTLE_WAIT', problem, '1', 0);
}

/** Reads REDIS_URL. The error does not repeat the value, which may contain a password. */
function readRedisUrl(environment: SettingSource): string | null {
  const value = environment.valueOf('REDIS_URL');
  if (value === undefined) return null;
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url === null || !/^rediss?:$/.test(url.protocol) || url.hostname === '') {
    const problem = 'must begin with redis:// or rediss:// and name a host';
    return environment.invalid('REDIS_URL', problem, 'redis://localhost:6379', null);
  }
  return value;
}
