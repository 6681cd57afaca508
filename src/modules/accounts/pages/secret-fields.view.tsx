import { UnreadableKeyError } from '../account.model.js';
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from '../passwords/password.model.js';
import { Field } from '../../../platform/pages/ui/form.view.js';

const UNREADABLE =
  'The service cannot check this code any more. Use a recovery code, or ask the operator.';

/**
 * Uses up a code.
 * @param take returns whether the code is right
 * @param wrong message for a wrong code
 * @returns null if the code is right, or else a message for the user
 */
export async function problemWithCode(take: () => Promise<boolean>, wrong: string) {
  try {
    return (await take()) ? null : wrong;
  } catch (error) {
    if (error instanceof UnreadableKeyError) return UNREADABLE;
    throw error;
  }
}

/** Field for the password that a user has. */
export function CurrentPassword({ name = 'password' }: { readonly name?: string }) {
  return (
    <Field
      label="Current password"
      name={name}
      type="password"
      autocomplete="current-password"
      required
    />
  );
}

/** Maximum length in UTF-16 units, which browsers count; a character has one or two. */
const LONGEST_IN_BROWSERS = 2 * LONGEST_PASSWORD;

/** Field for a password that a user chooses. */
export function NewPassword() {
  const length = `${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters. A sentence is easy to remember.`;
  return (
    <Field
      label="New password"
      name="new_password"
      type="password"
      autocomplete="new-password"
      minLength={SHORTEST_PASSWORD}
      maxLength={LONGEST_IN_BROWSERS}
      hint={length}
      required
    />
  );
}

/** Field that accepts a code of the app or a recovery code. */
export function AnyCodeField({ name = 'code' }: { readonly name?: string }) {
  return (
    <Field
      label="Code, or a recovery code"
      name={name}
      autocomplete="one-time-code"
      spellcheck={false}
      autocapitalize="none"
      maxLength={40}
      required
    />
  );
}

export function CodeField({
  autofocus,
  hint = 'The 6 digits that your authenticator app shows now.',
}: {
  readonly autofocus?: boolean;
  readonly hint?: string;
}) {
  return (
    <Field
      label="Code"
      name="code"
      inputmode="numeric"
      autocomplete="one-time-code"
      pattern="[\s\p{Pd}\p{Cf}\u2212]*(\p{Nd}[\s\p{Pd}\p{Cf}\u2212]*){6}"
      maxLength={20}
      hint={hint}
      {...(autofocus === true ? { autofocus } : {})}
      required
    />
  );
}
