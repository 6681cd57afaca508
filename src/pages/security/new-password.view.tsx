import {
  LONGEST_PASSWORD,
  SHORTEST_PASSWORD,
} from '../../modules/accounts/passwords/password.model.js';
import { Field, type FormProblem } from '../ui/form.view.js';

/** Maximum length in UTF-16 units, which browsers count; a character has one or two. */
const LONGEST_IN_BROWSERS = 2 * LONGEST_PASSWORD;

/** Field for a password that a user chooses. */
export function NewPassword({ problems }: { readonly problems: readonly FormProblem[] }) {
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
      problems={problems}
      required
    />
  );
}
