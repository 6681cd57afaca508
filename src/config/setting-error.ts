/** A setting that can't be used; its message is the one line that the operator reads. */
export class SettingError extends Error {
  constructor(variable: string, problem: string, example: string) {
    super(`${variable}: ${problem}, for example ${variable}=${example}`);
    this.name = 'SettingError';
  }
}
