import { UnreadableKeyError } from '../../modules/accounts/account.model.js';

const UNREADABLE =
  'The service cannot check this code any more. Use a recovery code, or ask the operator.';

/**
 * Uses up a code.
 * @param take returns whether the code is right
 * @param wrong message for a wrong code
 * @returns null if the code is right, or else a message for the user
 */
export async function problemWithCode(
  take: () => Promise<boolean>,
  wrong: string,
): Promise<string | null> {
  try {
    return (await take()) ? null : wrong;
  } catch (error) {
    if (error instanceof UnreadableKeyError) return UNREADABLE;
    throw error;
  }
}
