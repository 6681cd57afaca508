import { readFileSync } from 'node:fs';
import { format } from 'oxfmt';

const RULES = JSON.parse(readFileSync(new URL('../.oxfmtrc.json', import.meta.url), 'utf8'));

/**
 * @returns the text in the format that `npm run format` gives a file of this name, or with other
 * rules
 */
export async function formatted(name, text, rules = RULES) {
  const { code, errors } = await format(name, text, rules);
  if (errors.length > 0) throw new Error(`${name} cannot be formatted: ${errors[0].message}`);
  return code;
}
