/** An invalid setting. The message is one line for the operator. */
export class SettingError extends Error {
  constructor(variable: string, problem: string, example: string) {
    super(`${variable}: ${problem}, for example ${variable}=${example}`);
    this.name = 'SettingError';
  }
}

/** Error that lists all invalid settings, with one line each. */
export class SettingsError extends Error {
  constructor(errors: readonly SettingError[]) {
    super(errors.map(({ message }) => message).join('\n'));
    this.name = 'SettingsError';
  }
}
