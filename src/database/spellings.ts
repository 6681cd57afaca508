import { after, lowerCase, nextSpelling, upperCase } from './text-ranges.js';

/**
 * The spellings of a text that an index has, whatever the case of the letters A to Z. It jumps from one
 * spelling to the next, so it reads few of the texts between them.
 * @param firstFrom the first text of the index at or after this one, or null
 */
export async function spellingsOf(
  text: string,
  firstFrom: (from: string) => Promise<string | null>,
): Promise<string[]> {
  const spellings: string[] = [];
  let from: string | null = upperCase(text);
  while (from !== null) {
    const found: string | null = await firstFrom(from);
    if (found === null) break;
    const isSpelling = lowerCase(found) === lowerCase(text);
    if (isSpelling) spellings.push(found);
    from = nextSpelling(text, isSpelling ? after(found) : found);
    // A longer text that begins like this.
    if (from === found) from = nextSpelling(text, after(found));
  }
  return spellings;
}
