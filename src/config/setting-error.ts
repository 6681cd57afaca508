/** A setting that can't be used; its message is the one line that the operator reads. */
export class SettingError extends Error {
  constructor(variable: string, problem: string, example: string) {
    super(`${variable}: ${problem}, for example ${variable}=${example}`);
    this.name = 'SettingError';
  }
}

/** All settings that can't be used: the message has a line for each. */
export class SettingsError extends Error {
  constructor(faults: readonly SettingError[]) {
    super(faults.map(({ message }) => message).join('\n'));
    this.name = 'SettingsError';
  }
}
