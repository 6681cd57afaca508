import { availableParallelism } from 'node:os';
import { Resolver } from 'node:dns';
import { AddressList } from '../platform/values/address-list.js';
import {
  readDatabases,
  type DatabaseSettings,
  type MysqlSettings,
} from './settings/database-url.js';
import { developmentSecret, readKeyEncryptionSecret } from './settings/key-encryption-secret.js';
import { readLimits, type LimitSettings } from './settings/limit-settings.js';
import { readMail, type MailSettings } from './settings/mail-settings.js';
import { readOperatorContact, type OperatorContact } from './settings/operator-contact.js';
import {
  readManagement,
  type ManagementSettings,
  basePathOf,
  readPublicUrl,
  readTransport,
  type TransportSettings,
} from './settings/transport-settings.js';
import { SettingSource, type Environment } from './read-value.js';
import { FeatureSettings, readDeclared, type SettingDeclarations } from './declared-settings.js';
import { mistypedSettings } from './mistyped-settings.js';

const ENVIRONMENTS = ['development', 'test', 'production'] as const;
const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const;
const MAX_WORKERS = 64;
const MIGRATION_MODES = ['auto', 'off'] as const;
const MEBIBYTE = 1_048_576;
const MAX_CACHE_MB = 65_536;

export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * All settings, read once at startup. docs/configuration.md describes them. Features declare their
 * own, and read them with `valueOf`.
 */
export abstract class Settings extends FeatureSettings {
  abstract readonly environment: (typeof ENVIRONMENTS)[number];
  /** Packages and folders of the extensions, which are loaded before the settings are read. */
  abstract readonly extensions: readonly string[];
  abstract readonly database: DatabaseSettings;
  /** True if neither DATABASE_URL nor a misspelling of it is set. The demo is loaded only then. */
  abstract readonly databaseIsDefault: boolean;
  /** Read replicas. */
  abstract readonly replicas: readonly MysqlSettings[];
  /** Maximum number of connections to MySQL or MariaDB. */
  abstract readonly databaseConnections: number;
  /** Time limit of a statement on MySQL and MariaDB, in ms; null for none. */
  abstract readonly statementMs: number | null;
  abstract readonly migrations: (typeof MIGRATION_MODES)[number];
  abstract readonly host: string;
  /** TCP port; 0 for any free port. */
  abstract readonly port: number;
  abstract readonly logLevel: LogLevel;
  /** Currency that the account pages write beside amounts; empty for none. */
  abstract readonly currency: string;
  /** The operator, as the account pages name them; null for no name. */
  abstract readonly operatorContact: OperatorContact | null;
  abstract readonly keyEncryptionSecret: string;
  /** Size of the page cache; 0 disables it. */
  abstract readonly pageCacheBytes: number;
  /** Memory for responses that are being sent. */
  abstract readonly answerMemoryBytes: number;
  /**
   * Networks that webhooks and upstreams may reach in addition to public addresses; null for none.
   */
  abstract readonly webhookNetworks: AddressList | null;
  /** Name servers for calls to other servers; empty for those of the system. */
  abstract readonly nameServers: readonly string[];
  /** Number of processes; 1 for no workers. */
  abstract readonly workers: number;
  /** Time without a response after which a worker is replaced. */
  abstract readonly workerHangMs: number;
  abstract readonly limits: LimitSettings;
  abstract readonly transport: TransportSettings;
  /** URL at which browsers reach the service, without a slash at the end; null if it is not set. */
  abstract readonly publicUrl: string | null;
  /**
   * Path of `publicUrl`, such as `/reports`, with which every link begins; empty if there is none.
   */
  abstract readonly basePath: string;
  /** Null if no mail is sent. If mail is sent, a public URL is set, too. */
  abstract readonly mail: MailSettings | null;
  abstract readonly management: ManagementSettings;
  /** Time for a graceful shutdown, after which open requests are aborted. */
  abstract readonly shutdownGraceMs: number;
}

export type { Environment } from './read-value.js';

/**
 * Reads the settings of the core and of features.
 * @throws SettingsError with one line per invalid setting; none contains a secret
 */
export function checkedSettings(environment: Environment, declared: SettingDeclarations): Settings {
  const source = new SettingSource(environment);
  const settings = readAll(source, declared);
  source.throwIfInvalid();
  const databaseIsDefault = isDatabaseUnset(environment, declared);
  const hasDemo = databaseIsDefault && settings.environment !== 'production';
  return Object.freeze({
    ...settings,
    databaseIsDefault,
    currency: settings.currency === '' && hasDemo ? DEMO_CURRENCY : settings.currency,
    // This comes last, because it may create a file.
    keyEncryptionSecret: settings.keyEncryptionSecret ?? developmentSecret(),
  });
}

function readAll(source: SettingSource, declared: SettingDeclarations) {
  const environment = source.choice('NODE_ENV', ENVIRONMENTS, 'development');
  const transport = readTransport(source);
  const publicUrl = readPublicUrl(source, transport.requireHttps);
  return {
    environment,
    extensions: readExtensions(source),
    declared: readDeclared(source, declared),
    ...readDatabases(source),
    databaseConnections: source.integer('DATABASE_CONNECTIONS', [1, 1_000], 10),
    statementMs: source.integer('DATABASE_STATEMENT_MS', [100, 60_000], 1_000),
    migrations: source.choice('DATABASE_MIGRATIONS', MIGRATION_MODES, 'auto'),
    host: source.host('HOST'),
    port: source.integer('PORT', [0, 65_535], 3_000),
    logLevel: source.choice('LOG_LEVEL', LOG_LEVELS, 'info'),
    currency: readCurrency(source),
    operatorContact: readOperatorContact(source),
    keyEncryptionSecret: readKeyEncryptionSecret(source),
    pageCacheBytes: source.integer('PAGE_CACHE_MB', [0, MAX_CACHE_MB], 64) * MEBIBYTE,
    answerMemoryBytes: source.integer('ANSWER_MEMORY_MB', [16, MAX_CACHE_MB], 96) * MEBIBYTE,
    webhookNetworks: readWebhookNetworks(source),
    nameServers: readNameServers(source),
    workers: readWorkers(source),
    workerHangMs: source.integer('WORKER_HANG_SECONDS', [1, 3_600], 30) * 1_000,
    limits: readLimits(source),
    transport,
    publicUrl,
    basePath: basePathOf(publicUrl),
    mail: readMail(source),
    management: readManagement(source),
    shutdownGraceMs: source.integer('SHUTDOWN_GRACE', [1, 3_600], 10) * 1_000,
  };
}

/**
 * Returns the packages and folders that EXTENSIONS names, in their order.
 * @throws SettingsError if one is neither a package nor a folder
 */
export function extensionsIn(environment: Environment): readonly string[] {
  const source = new SettingSource(environment);
  const extensions = readExtensions(source);
  source.throwIfInvalid();
  return extensions;
}

/** Matches a folder, which begins with `./`, `../` or `/`, and the name of a package. */
const EXTENSION = /^(?:\.{0,2}\/.+|(?:@[a-z0-9-][\w.-]*\/)?[a-z0-9-][\w.-]*)$/;

/** Reads EXTENSIONS, which is read before all other settings. */
function readExtensions(source: SettingSource): readonly string[] {
  const text = source.valueOf('EXTENSIONS');
  if (text === undefined) return [];
  const names = text.split(',').map((name) => name.trim());
  const isValid = names.every((name) => EXTENSION.test(name));
  if (isValid && new Set(names).size === names.length) return names;
  const problem =
    'must be packages, and folders that begin with ./ or /, each once, with commas between';
  return source.invalid('EXTENSIONS', problem, '@acme/payouts,./extensions/notes', []);
}

function isDatabaseUnset(environment: Environment, declared: SettingDeclarations): boolean {
  const { DATABASE_URL = '' } = environment;
  const mistyped = mistypedSettings(environment, settingNames(declared));
  return DATABASE_URL === '' && !mistyped.some(({ setting }) => setting === 'DATABASE_URL');
}

/** Returns the names of all settings. Each of them is read, even if nothing is set. */
export function settingNames(declared: SettingDeclarations): string[] {
  const source = new SettingSource({});
  readAll(source, declared);
  return [...source.names];
}

function readWorkers(source: SettingSource): number {
  const text = source.valueOf('WORKERS') ?? '1';
  if (text === 'auto') return Math.min(availableParallelism(), MAX_WORKERS);
  if (/^[1-9]\d?$/.test(text) && Number(text) <= MAX_WORKERS) return Number(text);
  const problem = `must be an integer from 1 to ${MAX_WORKERS}, or auto`;
  return source.invalid('WORKERS', problem, 'auto', 1);
}

/**
 * Matches a code or a symbol that is short, on one line, and never mistaken for a part of the
 * number.
 */
const LABEL = /^[\p{L}\p{Sc}.]{1,8}$/u;

/** Currency of the demo, which is in the default database outside production. */
const DEMO_CURRENCY = '$';

/** Reads CURRENCY, which the account pages write beside amounts; empty for none. */
export function readCurrency(source: SettingSource): string {
  const label = source.valueOf('CURRENCY') ?? '';
  if (label === '' || LABEL.test(label)) return label;
  return source.invalid('CURRENCY', 'must be a code or a symbol of 1 to 8 letters', 'EUR', '');
}

/**
 * Reads NAME_SERVERS, the name servers for calls to other servers; empty for those of the system.
 */
function readNameServers(source: SettingSource): readonly string[] {
  const text = source.valueOf('NAME_SERVERS');
  if (text === undefined) return [];
  const servers = text.split(',').map((server) => server.trim());
  try {
    new Resolver().setServers(servers);
    return servers;
  } catch {
    const problem = 'must be addresses of name servers, with a port if needed, with commas between';
    return source.invalid('NAME_SERVERS', problem, '10.0.0.53,[fd00::53]:5353', []);
  }
}

/**
 * Reads WEBHOOK_NETWORKS, which webhooks and upstreams may reach in addition to public addresses;
 * null for none.
 */
function readWebhookNetworks(source: SettingSource): AddressList | null {
  const text = source.valueOf('WEBHOOK_NETWORKS');
  if (text === undefined) return null;
  const problem = 'must be addresses and networks with commas between';
  return (
    AddressList.parse(text) ?? source.invalid('WEBHOOK_NETWORKS', problem, '10.20.0.0/16', null)
  );
}
