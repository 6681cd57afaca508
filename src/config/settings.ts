import { availableParallelism } from 'node:os';
import { readDatabaseTls } from './database-tls.js';
import {
  readDatabaseUrl,
  readReplicaUrls,
  type DatabaseSettings,
  type MysqlSettings,
} from './database-url.js';
import { keyEncryptionSecretOf } from './key-encryption-secret.js';
import { readPaymentProcessor, type PaymentProcessorSettings } from './payment-processor-url.js';
import { readLimits, type LimitSettings } from './limit-settings.js';
import { readManagement, type ManagementSettings } from './management-settings.js';
import { readChoice, readHost, readWholeNumber, valueOf, type Environment } from './read-value.js';
import { SettingError } from './setting-error.js';
import { readTransport, type TransportSettings } from './transport-settings.js';

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
  /** Servers that follow the database; empty where all is read at the database itself. */
  abstract readonly replicas: readonly MysqlSettings[];
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
  abstract readonly limits: LimitSettings;
  abstract readonly transport: TransportSettings;
  abstract readonly management: ManagementSettings;
  /** How long a stop may take; what is not done by then is cut off. */
  abstract readonly shutdownGraceMs: number;
}

export type { Environment } from './read-value.js';

/**
 * Reads and checks the settings.
 * @throws SettingError for the first setting that is wrong; its message never holds a secret's value
 */
export function readSettings(environment: Environment): Settings {
  const name = readChoice(environment, 'NODE_ENV', ENVIRONMENTS, 'development');
  const isProduction = name === 'production';
  const database = readDatabaseUrl(
    valueOf(environment, 'DATABASE_URL') ?? 'sqlite:data/ledger.sqlite',
    readDatabaseTls(valueOf(environment, 'DATABASE_TLS_CA')),
  );
  return Object.freeze({
    environment: name,
    database,
    databaseIsDefault: valueOf(environment, 'DATABASE_URL') === undefined,
    replicas: readReplicaUrls(valueOf(environment, 'DATABASE_REPLICA_URLS'), database),
    databaseConnections: readWholeNumber(environment, 'DATABASE_CONNECTIONS', [1, 1_000], 10),
    statementMs: readWholeNumber(environment, 'DATABASE_STATEMENT_MS', [100, 60_000], 1_000),
    migrations: readChoice(environment, 'DATABASE_MIGRATIONS', MIGRATION_MODES, 'auto'),
    host: readHost(environment, 'HOST'),
    port: readWholeNumber(environment, 'PORT', [0, 65_535], 3_000),
    logLevel: readChoice(environment, 'LOG_LEVEL', LOG_LEVELS, 'info'),
    keyEncryptionSecret: keyEncryptionSecretOf(
      valueOf(environment, 'KEY_ENCRYPTION_SECRET'),
      isProduction,
    ),
    paymentProcessor: readPaymentProcessor(
      valueOf(environment, 'PAYMENT_PROCESSOR_URL'),
      valueOf(environment, 'PAYMENT_PROCESSOR_SECRET'),
    ),
    pageCacheBytes:
      readWholeNumber(environment, 'PAGE_CACHE_MB', [0, MOST_CACHE_MB], 64) * MEBIBYTE,
    workers: readWorkers(environment),
    limits: readLimits(environment),
    transport: readTransport(environment, isProduction),
    management: readManagement(environment),
    shutdownGraceMs: readWholeNumber(environment, 'SHUTDOWN_GRACE', [1, 3_600], 10) * 1_000,
  });
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
