import { after, beginsWith, lowerCase, nextSpelling, upperCase } from './text-ranges.js';

/** What may stand before an e-mail that was copied from somewhere: nothing, or spaces. */
const BEFORE = ['', ' ', '  ', '\u00a0'];

/** An e-mail as it is compared: whatever the case of the letters A to Z, and without spaces around it. */
export function spelledAlike(email: string): string {
  return lowerCase(email.trim());
}

/**
 * The spellings of an e-mail that an index has. It jumps from one spelling to the next, so it reads few of
 * the texts between them.
 * @param firstFrom the first text of the index at or after this one, or null
 */
export async function spellingsOf(
  email: string,
  firstFrom: (from: string) => Promise<string | null>,
): Promise<string[]> {
  const spellings: string[] = [];
  for (const before of BEFORE) {
    const text = `${before}${email.trim()}`;
    let from: string | null = upperCase(text);
    while (from !== null) {
      const found: string | null = await firstFrom(from);
      if (found === null) break;
      const isSpelling = beginsWith(found, text) && spelledAlike(found) === spelledAlike(email);
      if (isSpelling) spellings.push(found);
      from = nextSpelling(text, isSpelling ? after(found) : found);
      // A longer text that begins like this.
      if (from === found) from = nextSpelling(text, after(found));
    }
  }
  return spellings;
}
