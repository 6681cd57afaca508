import { StartError } from '../platform/errors/domain-error.js';

/** An invalid setting. The message is one line for the operator. */
export class SettingError extends StartError {
  constructor(variable: string, problem: string, example: string) {
    super(`${variable}: ${problem}, for example ${variable}=${example}`);
  }
}

/** Error that lists all invalid settings, with one line each. */
export class SettingsError extends StartError {
  constructor(errors: readonly SettingError[]) {
    super(errors.map(({ message }) => message).join('\n'));
  }
}
