import type { User } from '../account.model.js';

/** In characters. */
export const SHORTEST_PASSWORD = 12;
export const LONGEST_PASSWORD = 128;

/** A password is too short, too long or easily guessed. */
export class PasswordRefusedError extends Error {}

/** @throws PasswordRefusedError */
export function checkPassword(password: string, { email, name }: User): void {
  const { length } = password;
  if (length < SHORTEST_PASSWORD || length > LONGEST_PASSWORD) {
    throw new PasswordRefusedError(
      `The password must have ${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters.`,
    );
  }
  const lower = password.toLowerCase();
  const isGuessable = [email, name].some((word) => word.toLowerCase() === lower);
  if (isGuessable || new Set(password).size < 4) {
    throw new PasswordRefusedError('The password is too easy to guess.');
  }
}
