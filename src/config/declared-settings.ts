import { statSync } from 'node:fs';
import type { SettingSource } from './read-value.js';

interface Declared {
  /** Name of the environment variable. */
  readonly name: string;
  /** Describes in a sentence what the setting is for; docs/configuration.md has the details. */
  readonly purpose: string;
}

/** An integer within bounds. */
export interface IntegerSetting extends Declared {
  readonly kind: 'integer';
  readonly min: number;
  readonly max: number;
  readonly default: number;
}

/** The setting is `on` or `off`. */
export interface FlagSetting extends Declared {
  readonly kind: 'flag';
  readonly default: boolean;
  /** Default in production, if it differs. */
  readonly inProduction?: boolean;
}

/** The path of an existing folder, or of a file, which need not exist yet. */
export interface PathSetting extends Declared {
  readonly kind: 'folder' | 'file';
  readonly example: string;
}

/** A URL with https, or with http on this machine, that contains no credentials. */
export interface UrlSetting extends Declared {
  readonly kind: 'url';
  /** Name of a setting without which this one has no use, and which has none without this one. */
  readonly with: string;
  readonly example: string;
}

/** A secret text. No message repeats it. */
export interface SecretSetting extends Declared {
  readonly kind: 'secret';
  /** Name of a setting without which this one has no use, and which has none without this one. */
  readonly with: string;
  /** Minimum number of characters. */
  readonly min: number;
}

type TextSetting = PathSetting | UrlSetting | SecretSetting;

/** A setting that a feature declares as plain data. */
export type SettingDeclaration = IntegerSetting | FlagSetting | TextSetting;
export type SettingDeclarations = readonly SettingDeclaration[];

export type SettingValue = number | boolean | string | null;

/** Values of declared settings by name. */
export type DeclaredValues = ReadonlyMap<string, SettingValue>;

/** The checked settings of all features, which read their own with `valueOf`. */
export abstract class FeatureSettings {
  /** Values by the name of their environment variable. */
  abstract readonly declared: DeclaredValues;
}

/** Returns the number of a setting that a feature declares. */
export function valueOf(settings: FeatureSettings, setting: IntegerSetting): number;
/** Returns true if a setting that a feature declares is `on`. */
export function valueOf(settings: FeatureSettings, setting: FlagSetting): boolean;
/** Returns the text of a setting that a feature declares; null if it is unset. */
export function valueOf(settings: FeatureSettings, setting: TextSetting): string | null;
export function valueOf({ declared }: FeatureSettings, { name }: SettingDeclaration): SettingValue {
  const value = declared.get(name);
  if (value === undefined) throw new Error(`no installed feature declares the setting ${name}`);
  return value;
}

/** Reads and checks the settings that features declare. */
export function readDeclared(source: SettingSource, declared: SettingDeclarations): DeclaredValues {
  return new Map(declared.map((setting) => [setting.name, readSetting(source, setting)]));
}

function readSetting(source: SettingSource, setting: SettingDeclaration): SettingValue {
  const { name } = setting;
  switch (setting.kind) {
    case 'integer':
      return source.integer(name, [setting.min, setting.max], setting.default);
    case 'flag': {
      const isOn = source.isProduction
        ? (setting.inProduction ?? setting.default)
        : setting.default;
      return source.flag(name, isOn);
    }
    case 'folder':
    case 'file':
      return readPath(source, setting);
    case 'url':
      return readUrl(source, setting);
    case 'secret':
      return readSecret(source, setting);
  }
}

function readPath(source: SettingSource, { name, kind, example }: PathSetting): string | null {
  const path = source.valueOf(name);
  if (path === undefined) return null;
  if (isFolder(path) === (kind === 'folder')) return path;
  const problem = kind === 'folder' ? 'must be a folder' : 'must be a file, not a folder';
  return source.invalid(name, problem, example, path);
}

/**
 * Returns whether the path is a folder. If the path cannot be inspected, the code that opens it
 * reports the error.
 */
function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

function readUrl(source: SettingSource, setting: UrlSetting): string | null {
  const text = source.valueOf(setting.name);
  if (text === undefined && source.valueOf(setting.with) === undefined) return null;
  const url = text !== undefined && URL.canParse(text) ? new URL(text) : null;
  const isSafe = url?.protocol === 'https:' || LOOPBACK.has(url?.hostname ?? '');
  // fetch rejects URLs with credentials.
  const hasUser = url !== null && url.username + url.password !== '';
  if (url !== null && /^https?:$/.test(url.protocol) && isSafe && !hasUser) return url.href;
  const problem = 'must be an https URL without a user name (http only for localhost)';
  return source.invalid(setting.name, problem, setting.example, null);
}

function readSecret(source: SettingSource, setting: SecretSetting): string | null {
  const { name, min } = setting;
  const secret = source.valueOf(name);
  if (secret === undefined && source.valueOf(setting.with) === undefined) return null;
  if (secret !== undefined && secret.length >= min) return secret;
  const problem = `must have at least ${min} characters if ${setting.with} is set`;
  return source.invalid(name, problem, '"$(openssl rand -base64 32)"', null);
}
