import { availableParallelism } from 'node:os';
import { readDatabaseUrl, type DatabaseSettings } from './database-url.js';
import { keyEncryptionSecretOf } from './key-encryption-secret.js';
import { readPaymentProcessor, type PaymentProcessorSettings } from './payment-processor-url.js';
import { SettingError } from './setting-error.js';

const ENVIRONMENTS = ['development', 'test', 'production'] as const;
const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const;
const MOST_WORKERS = 64;
const MIGRATION_MODES = ['auto', 'off'] as const;
const MEBIBYTE = 1_048_576;
const MOST_CACHE_MB = 65_536;

export type LogLevel = (typeof LOG_LEVELS)[number];

/** Everything that can be set from outside, read once at the start. The README lists it. */
export abstract class Settings {
  abstract readonly environment: (typeof ENVIRONMENTS)[number];
  abstract readonly database: DatabaseSettings;
  /** True where DATABASE_URL is not given: only then may a demo ledger be loaded. */
  abstract readonly databaseIsDefault: boolean;
  /** How many connections to MySQL or MariaDB are open at most. */
  abstract readonly databaseConnections: number;
  /** How long MySQL or MariaDB may work on one statement, in ms; null without a limit. */
  abstract readonly statementMs: number | null;
  abstract readonly migrations: (typeof MIGRATION_MODES)[number];
  abstract readonly host: string;
  /** 0 lets the system choose a free port. */
  abstract readonly port: number;
  abstract readonly logLevel: LogLevel;
  abstract readonly keyEncryptionSecret: string;
  /** Null where cancels of recurring payments are recorded only. */
  abstract readonly paymentProcessor: PaymentProcessorSettings | null;
  /** Memory for pages that were asked for before, each at its revision; 0 keeps none. */
  abstract readonly pageCacheBytes: number;
  /** How many processes answer; 1 is this process alone. */
  abstract readonly workers: number;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads and checks the settings.
 * @throws SettingError for the first setting that is wrong; its message never holds a secret's value
 */
export function readSettings(environment: Environment): Settings {
  const name = oneOf(environment, 'NODE_ENV', ENVIRONMENTS, 'development');
  oneOf(environment, 'THROTTLE_LIMITS', ['off'], 'off');
  return Object.freeze({
    environment: name,
    database: readDatabaseUrl(valueOf(environment, 'DATABASE_URL') ?? 'sqlite:data/ledger.sqlite'),
    databaseIsDefault: valueOf(environment, 'DATABASE_URL') === undefined,
    databaseConnections: readWholeNumber(environment, 'DATABASE_CONNECTIONS', [1, 1_000], 10),
    statementMs: readWholeNumber(environment, 'DATABASE_STATEMENT_MS', [100, 60_000], 1_500),
    migrations: oneOf(environment, 'DATABASE_MIGRATIONS', MIGRATION_MODES, 'auto'),
    host: readHost(environment),
    port: readWholeNumber(environment, 'PORT', [0, 65_535], 3_000),
    logLevel: oneOf(environment, 'LOG_LEVEL', LOG_LEVELS, 'info'),
    keyEncryptionSecret: keyEncryptionSecretOf(
      valueOf(environment, 'KEY_ENCRYPTION_SECRET'),
      name === 'production',
    ),
    paymentProcessor: readPaymentProcessor(
      valueOf(environment, 'PAYMENT_PROCESSOR_URL'),
      valueOf(environment, 'PAYMENT_PROCESSOR_SECRET'),
    ),
    pageCacheBytes:
      readWholeNumber(environment, 'PAGE_CACHE_MB', [0, MOST_CACHE_MB], 64) * MEBIBYTE,
    workers: readWorkers(environment),
  });
}

/** An empty variable counts as one that is not set, as in most .env files. */
function valueOf(environment: Environment, variable: string): string | undefined {
  const value = environment[variable];
  return value === undefined || value === '' ? undefined : value;
}

function oneOf<const Allowed extends string>(
  environment: Environment,
  variable: string,
  allowed: readonly Allowed[],
  fallback: Allowed,
): Allowed {
  const value = valueOf(environment, variable);
  if (value === undefined) return fallback;
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) {
    throw new SettingError(variable, `must be ${allowed.join(' or ')}`, fallback);
  }
  return found;
}

function readHost(environment: Environment): string {
  const host = valueOf(environment, 'HOST') ?? '127.0.0.1';
  if (!/^[A-Za-z0-9.:_-]+$/.test(host)) {
    throw new SettingError('HOST', 'must be an address or a host name', '0.0.0.0');
  }
  return host;
}

function readWholeNumber(
  environment: Environment,
  variable: string,
  [least, most]: readonly [number, number],
  fallback: number,
): number {
  const text = valueOf(environment, variable) ?? String(fallback);
  if (!/^\d{1,5}$/.test(text) || Number(text) > most || Number(text) < least) {
    throw new SettingError(
      variable,
      `must be a whole number from ${least} to ${most}`,
      String(fallback),
    );
  }
  return Number(text);
}

function readWorkers(environment: Environment): number {
  const text = valueOf(environment, 'WORKERS') ?? '1';
  if (text === 'auto') return Math.min(availableParallelism(), MOST_WORKERS);
  if (!/^[1-9]\d?$/.test(text) || Number(text) > MOST_WORKERS) {
    throw new SettingError(
      'WORKERS',
      `must be a whole number from 1 to ${MOST_WORKERS}, or auto`,
      'auto',
    );
  }
  return Number(text);
}
