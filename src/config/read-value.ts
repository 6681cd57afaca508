import { SettingError } from './setting-error.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** An empty variable counts as one that is not set, as in most .env files. */
export function valueOf(environment: Environment, variable: string): string | undefined {
  const value = environment[variable];
  return value === undefined || value === '' ? undefined : value;
}

export function readChoice<const Allowed extends string>(
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

export function readHost(environment: Environment, variable: string): string {
  const host = valueOf(environment, variable) ?? '127.0.0.1';
  if (!/^[A-Za-z0-9.:_-]+$/.test(host)) {
    throw new SettingError(variable, 'must be an address or a host name', '0.0.0.0');
  }
  return host;
}

export function readWholeNumber(
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
