import { StartError } from '../platform/errors/domain-error.js';

/** An invalid setting. The message is one line for the operator. */
export class SettingError extends StartError {
  constructor(variable: string, problem: string, example: string) {
    super(`${variable}: ${problem}, for example ${variable}=${example}`);
  }
}

/** Error that lists all invalid settings, with one line each. */
class SettingsError extends StartError {
  constructor(errors: readonly SettingError[]) {
    super(errors.map(({ message }) => message).join('\n'));
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads settings from the environment. An invalid setting is replaced by a fallback, so that all
 * errors are reported together. Call `throwIfInvalid` before any value is used.
 */
export class SettingSource {
  /** Names of the settings that were read, whether they are set or not. */
  readonly names = new Set<string>();
  private readonly errors: SettingError[] = [];

  constructor(private readonly environment: Environment) {}

  /**
   * Returns the value of a setting. An empty variable counts as unset, as in most .env files. A
   * final line break is removed, because secret stores may add one.
   */
  valueOf(variable: string): string | undefined {
    this.names.add(variable);
    const value = withoutFinalLineBreak(this.environment[variable] ?? '');
    return value === '' ? undefined : value;
  }

  get isProduction(): boolean {
    return this.valueOf('NODE_ENV') === 'production';
  }

  /**
   * Records an error.
   * @returns the fallback
   */
  invalid<Value>(variable: string, problem: string, example: string, fallback: Value): Value {
    this.errors.push(new SettingError(variable, problem, example));
    return fallback;
  }

  /**
   * Records the SettingError that `read` throws.
   * @returns the result of `read`, or the fallback
   */
  attempt<Value>(read: () => Value, fallback: Value): Value {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof SettingError)) throw error;
      this.errors.push(error);
      return fallback;
    }
  }

  choice<const Allowed extends string>(
    variable: string,
    allowed: readonly Allowed[],
    fallback: Allowed,
  ): Allowed {
    const value = this.valueOf(variable);
    if (value === undefined) return fallback;
    const found = allowed.find((candidate) => candidate === value);
    return found ?? this.invalid(variable, `must be ${allowed.join(' or ')}`, fallback, fallback);
  }

  /** Reads `on` or `off`. */
  flag(variable: string, isOn: boolean): boolean {
    return this.choice(variable, ['on', 'off'], isOn ? 'on' : 'off') === 'on';
  }

  host(variable: string): string {
    const host = this.valueOf(variable) ?? '127.0.0.1';
    return /^[A-Za-z0-9.:_-]+$/.test(host)
      ? host
      : this.invalid(variable, 'must be an IP address or a host name', '0.0.0.0', host);
  }

  integer(variable: string, [min, max]: readonly [number, number], fallback: number): number {
    const example = String(fallback);
    const text = this.valueOf(variable) ?? example;
    if (/^\d{1,9}$/.test(text) && Number(text) <= max && Number(text) >= min) return Number(text);
    return this.invalid(variable, `must be an integer from ${min} to ${max}`, example, fallback);
  }

  /** @throws SettingsError with all errors */
  throwIfInvalid(): void {
    if (this.errors.length > 0) throw new SettingsError(this.errors);
  }
}

/**
 * Returns a text of a file or a secret store without its final line break, which is not part of a
 * secret, a key or a path.
 */
export function withoutFinalLineBreak(text: string): string {
  return text.replace(/\r?\n$/, '');
}
