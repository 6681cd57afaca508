import { InvalidArgumentError } from 'commander';

/** @throws InvalidArgumentError unless the text is plain digits */
export function parseInteger(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value)) {
    throw new InvalidArgumentError('It must be an integer.');
  }
  return value;
}
