import { SettingError, SettingsError } from './setting-error.js';
import type { SettingName } from './setting-names.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The environment, and what is wrong in it. After a fault the reading goes on with a stand-in, so that
 * all faults are told at once: use what was read only behind `demandNoFaults`.
 */
export class SettingSource {
  private readonly faults: SettingError[] = [];

  constructor(private readonly environment: Environment) {}

  /** An empty variable counts as one that is not set, as in most .env files. */
  valueOf(variable: SettingName): string | undefined {
    const value = this.environment[variable];
    return value === undefined || value === '' ? undefined : value;
  }

  /** Notes a fault. @returns the stand-in */
  wrong<Value>({ variable, problem, example }: SettingFault, standIn: Value): Value {
    this.faults.push(new SettingError(variable, problem, example));
    return standIn;
  }

  /** Notes the SettingError that `read` throws. @returns what it read, or the stand-in */
  attempt<Value>(read: () => Value, standIn: Value): Value {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof SettingError)) throw error;
      this.faults.push(error);
      return standIn;
    }
  }

  /** @throws SettingsError that tells every fault */
  demandNoFaults(): void {
    if (this.faults.length > 0) throw new SettingsError(this.faults);
  }
}

interface SettingFault {
  readonly variable: SettingName;
  readonly problem: string;
  readonly example: string;
}

export function readChoice<const Allowed extends string>(
  source: SettingSource,
  variable: SettingName,
  allowed: readonly Allowed[],
  fallback: Allowed,
): Allowed {
  const value = source.valueOf(variable);
  if (value === undefined) return fallback;
  const problem = `must be ${allowed.join(' or ')}`;
  const found = allowed.find((candidate) => candidate === value);
  return found ?? source.wrong({ variable, problem, example: fallback }, fallback);
}

export function readHost(source: SettingSource, variable: SettingName): string {
  const host = source.valueOf(variable) ?? '127.0.0.1';
  const problem = 'must be an address or a host name';
  return /^[A-Za-z0-9.:_-]+$/.test(host)
    ? host
    : source.wrong({ variable, problem, example: '0.0.0.0' }, host);
}

export function readWholeNumber(
  source: SettingSource,
  variable: SettingName,
  [least, most]: readonly [number, number],
  fallback: number,
): number {
  const example = String(fallback);
  const text = source.valueOf(variable) ?? example;
  if (/^\d{1,5}$/.test(text) && Number(text) <= most && Number(text) >= least) return Number(text);
  const problem = `must be a whole number from ${least} to ${most}`;
  return source.wrong({ variable, problem, example }, fallback);
}
