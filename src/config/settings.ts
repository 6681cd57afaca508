import { availableParallelism } from 'node:os';
import { readDatabaseTls, UNREAD_DATABASE_TLS } from './settings/database-tls.js';
import {
  readDatabaseUrl,
  readReplicaUrls,
  type DatabaseSettings,
  type MysqlSettings,
} from './settings/database-url.js';
import { developmentSecret, readKeyEncryptionSecret } from './settings/key-encryption-secret.js';
import {
  readPaymentProcessor,
  type PaymentProcessorSettings,
} from './settings/payment-processor-url.js';
import { readLimits, type LimitSettings } from './settings/limit-settings.js';
import { readManagement, type ManagementSettings } from './settings/management-settings.js';
import {
  readChoice,
  readHost,
  readWholeNumber,
  SettingSource,
  type Environment,
} from './read-value.js';
import { resemblingNames } from './resembling-names.js';
import { readTransport, type TransportSettings } from './settings/transport-settings.js';

const ENVIRONMENTS = ['development', 'test', 'production'] as const;
const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const;
const MOST_WORKERS = 64;
const MIGRATION_MODES = ['auto', 'off'] as const;
const DEFAULT_DATABASE_URL = 'sqlite:data/ledger.sqlite';
const MEBIBYTE = 1_048_576;
const MOST_CACHE_MB = 65_536;

export type LogLevel = (typeof LOG_LEVELS)[number];

/** Everything that can be set from outside, read once at the start. docs/configuration.md lists it. */
export abstract class Settings {
  abstract readonly environment: (typeof ENVIRONMENTS)[number];
  abstract readonly database: DatabaseSettings;
  /** True where no DATABASE_URL is given, nor one that is mistyped: only then may a demo be loaded. */
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
  /** True where each audit entry is a line of the log, too, whatever the log level. */
  abstract readonly auditLog: boolean;
  abstract readonly keyEncryptionSecret: string;
  /** Null where cancels of recurring payments are recorded only. */
  abstract readonly paymentProcessor: PaymentProcessorSettings | null;
  /** Memory for pages that were asked for before, each at its revision; 0 keeps none. */
  abstract readonly pageCacheBytes: number;
  /** How many processes answer; 1 is this process alone. */
  abstract readonly workers: number;
  /** How many active API applications a user may have. */
  abstract readonly activeApplications: number;
  /** How long a worker may be silent before it is replaced. */
  abstract readonly workerHangMs: number;
  abstract readonly limits: LimitSettings;
  abstract readonly transport: TransportSettings;
  abstract readonly management: ManagementSettings;
  /** How long a stop may take; what is not done by then is cut off. */
  abstract readonly shutdownGraceMs: number;
}

export type { Environment } from './read-value.js';

/**
 * Reads and checks the settings.
 * @throws SettingsError with a line for each setting that is wrong; none holds a secret's value
 */
export function readSettings(environment: Environment): Settings {
  const source = new SettingSource(environment);
  const name = readChoice(source, 'NODE_ENV', ENVIRONMENTS, 'development');
  const isProduction = name === 'production';
  const secret = readKeyEncryptionSecret(source, isProduction);
  const settings = {
    environment: name,
    ...readDatabases(source),
    databaseIsDefault: isDatabaseLeftOpen(environment),
    databaseConnections: readWholeNumber(source, 'DATABASE_CONNECTIONS', [1, 1_000], 10),
    statementMs: readWholeNumber(source, 'DATABASE_STATEMENT_MS', [100, 60_000], 1_000),
    migrations: readChoice(source, 'DATABASE_MIGRATIONS', MIGRATION_MODES, 'auto'),
    host: readHost(source, 'HOST'),
    port: readWholeNumber(source, 'PORT', [0, 65_535], 3_000),
    logLevel: readChoice(source, 'LOG_LEVEL', LOG_LEVELS, 'info'),
    auditLog: readChoice(source, 'AUDIT_LOG', ['on', 'off'], 'off') === 'on',
    paymentProcessor: readPaymentProcessor(source),
    pageCacheBytes: readWholeNumber(source, 'PAGE_CACHE_MB', [0, MOST_CACHE_MB], 64) * MEBIBYTE,
    workers: readWorkers(source),
    activeApplications: readWholeNumber(source, 'ACTIVE_APPLICATIONS', [1, 10_000], 50),
    workerHangMs: readWholeNumber(source, 'WORKER_HANG_SECONDS', [1, 3_600], 30) * 1_000,
    limits: readLimits(source),
    transport: readTransport(source, isProduction),
    management: readManagement(source),
    shutdownGraceMs: readWholeNumber(source, 'SHUTDOWN_GRACE', [1, 3_600], 10) * 1_000,
  };
  source.demandNoFaults();
  // A file is made only where the start goes on.
  return Object.freeze({ ...settings, keyEncryptionSecret: secret ?? developmentSecret() });
}

/** Each is checked whatever is wrong with the one before. */
function readDatabases(source: SettingSource): Pick<Settings, 'database' | 'replicas'> {
  const tls = source.attempt(
    () => readDatabaseTls(source.valueOf('DATABASE_TLS_CA')),
    UNREAD_DATABASE_TLS,
  );
  const url = source.valueOf('DATABASE_URL') ?? DEFAULT_DATABASE_URL;
  const database = source.attempt(() => readDatabaseUrl(url, tls), null);
  const listed = source.valueOf('DATABASE_REPLICA_URLS');
  const replicas = source.attempt(
    () => readReplicaUrls(listed, database?.dialect ?? 'mysql', tls),
    [],
  );
  return { database: database ?? readDatabaseUrl(DEFAULT_DATABASE_URL), replicas };
}

/** A mistyped DATABASE_URL means a database of one's own: nobody who has one wants the demo. */
function isDatabaseLeftOpen(environment: Environment): boolean {
  const { DATABASE_URL = '' } = environment;
  const mistyped = resemblingNames(environment).some(({ setting }) => setting === 'DATABASE_URL');
  return DATABASE_URL === '' && !mistyped;
}

function readWorkers(source: SettingSource): number {
  const text = source.valueOf('WORKERS') ?? '1';
  if (text === 'auto') return Math.min(availableParallelism(), MOST_WORKERS);
  if (/^[1-9]\d?$/.test(text) && Number(text) <= MOST_WORKERS) return Number(text);
  const problem = `must be a whole number from 1 to ${MOST_WORKERS}, or auto`;
  return source.wrong({ variable: 'WORKERS', problem, example: 'auto' }, 1);
}
