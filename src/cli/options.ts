import { InvalidArgumentError } from 'commander';

/** An argument or option in plain digits. @throws InvalidArgumentError, which commander explains */
export function parseWholeNumber(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value)) {
    throw new InvalidArgumentError('It must be an integer.');
  }
  return value;
}
