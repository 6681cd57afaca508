import { isDirected } from '../../../platform/pages/ui/isolated-text.js';
import { Email } from '../../../platform/pages/ui/values.view.js';

interface MarkedProperties {
  readonly text: string;
  /** Text that was searched for. */
  readonly sought: string;
}

/**
 * Shows a text with the part marked that a search found: at the beginning of the text or of a word.
 * Text with right-to-left letters has no mark, because its parts would change their order.
 */
export function Marked({ text, sought }: MarkedProperties) {
  const at = isDirected(text) ? null : placeOf(text, sought);
  if (at === null) return <>{text}</>;
  const end = at + sought.length;
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, end)}</mark>
      {text.slice(end)}
    </>
  );
}

/** Shows an e-mail address, with its beginning marked if a search found it. */
export function MarkedEmail({ text, sought }: MarkedProperties) {
  if (isDirected(text) || placeOf(text, sought) !== 0) return <Email address={text} />;
  return (
    <>
      <mark>
        <Email address={text.slice(0, sought.length)} />
      </mark>
      <Email address={text.slice(sought.length)} />
    </>
  );
}

/** Returns where the text has what was searched for, in any letter case; null if it has it not. */
function placeOf(text: string, sought: string): number | null {
  const [inText, wanted] = [text.toLowerCase(), sought.toLowerCase()];
  // The lower case of a few letters, such as İ, is longer, which would shift the place.
  if (wanted === '' || inText.length !== text.length || wanted.length !== sought.length) {
    return null;
  }
  if (inText.startsWith(wanted)) return 0;
  const before = inText.indexOf(` ${wanted}`);
  return before === -1 ? null : before + 1;
}
