import { parseLimitWindows, type LimitWindows } from '../common/limit-windows.js';
import { valueOf, type Environment } from './read-value.js';
import { SettingError } from './setting-error.js';

const EXAMPLE = '20/1s,600/1m';
const FAILED_KEYS = '20/1m';
const SIGN_INS = '10/1m,60/1h';

export interface LimitSettings {
  /** For each API application that has none of its own. */
  readonly key: LimitWindows;
  /** For each address, before its key is looked at. */
  readonly address: LimitWindows;
  /** For the answers 401 to each address. */
  readonly failedKeys: LimitWindows;
  /** For the tries to sign in to the account pages, of each address and with each e-mail. */
  readonly signIns: LimitWindows;
  /** Where all instances count together, or null. */
  readonly redisUrl: string | null;
}

/** Reads what begins with THROTTLE_, and REDIS_URL. */
export function readLimits(environment: Environment): LimitSettings {
  const key = readWindows(environment, 'THROTTLE_LIMITS', EXAMPLE);
  // Who turns the limits off means all of them that are not set themselves.
  const unlessOff = (fallback: string) => (key.length === 0 ? 'off' : fallback);
  return {
    key,
    address: readWindows(environment, 'THROTTLE_ADDRESS_LIMITS', 'off'),
    failedKeys: readWindows(environment, 'THROTTLE_FAILED_KEYS', unlessOff(FAILED_KEYS)),
    signIns: readWindows(environment, 'THROTTLE_SIGN_INS', unlessOff(SIGN_INS)),
    redisUrl: readRedisUrl(valueOf(environment, 'REDIS_URL')),
  };
}

function readWindows(environment: Environment, variable: string, fallback: string): LimitWindows {
  const windows = parseLimitWindows(valueOf(environment, variable) ?? fallback);
  if (windows === null) {
    throw new SettingError(
      variable,
      'must be off, or requests/time with commas between, each time once and up to 31d',
      EXAMPLE,
    );
  }
  return windows;
}

/** Its message never repeats the value, which may hold a password. */
function readRedisUrl(value: string | undefined): string | null {
  if (value === undefined) return null;
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url === null || !/^rediss?:$/.test(url.protocol) || url.hostname === '') {
    throw new SettingError(
      'REDIS_URL',
      'must begin with redis:// or rediss:// and name a host',
      'redis://localhost:6379',
    );
  }
  return value;
}
