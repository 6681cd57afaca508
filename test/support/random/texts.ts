import { TEXTS } from '../../../testing/src/hostile/texts.js';
import { isPlainText } from '../../../src/platform/values/shown-text.js';

export { TEXTS };

/** Texts that are valid as names in a ledger. */
export const NAMES = TEXTS.filter(([, text]) => isPlainText(text));
