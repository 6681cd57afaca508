import type { Environment } from './read-value.js';

/**
 * Edit distances that count as a misspelling, by the minimum length of the setting. Shorter names
 * are too likely to be other words.
 */
const MAX_DISTANCES = [
  { length: 15, distance: 3 },
  { length: 9, distance: 2 },
  { length: 6, distance: 1 },
] as const;
/**
 * Minimum number of words of a name without its prefix: it must still be specific, unlike URL, PORT
 * or KEY.
 */
const MIN_WORDS_WITHOUT_PREFIX = 2;

/**
 * Returns the variables that are not settings but look like one, each with the setting that is
 * probably meant.
 * @param known names of all settings
 */
export function mistypedSettings(environment: Environment, known: readonly string[]) {
  return Object.keys(environment).flatMap((name) => {
    // An empty variable counts as unset.
    if (known.includes(name) || (environment[name] ?? '') === '') return [];
    const setting = similarSetting(name, known);
    return setting === undefined ? [] : [{ name, setting }];
  });
}

function similarSetting(name: string, known: readonly string[]): string | undefined {
  const upper = name.toUpperCase().replaceAll('-', '_');
  const meant = upper.replace(/^DB_/, 'DATABASE_');
  const isSpecific = upper.split('_').length >= MIN_WORDS_WITHOUT_PREFIX;
  const similar = known.filter(
    (setting) => isMistyped(meant, setting) || (isSpecific && setting.endsWith(`_${upper}`)),
  );
  return similar.sort((left, right) => distance(meant, left) - distance(meant, right))[0];
}

function isMistyped(name: string, setting: string): boolean {
  if (name === setting) return true;
  const max = MAX_DISTANCES.find(({ length }) => setting.length >= length)?.distance ?? 0;
  // This cheap check excludes nearly all variables.
  if (Math.abs(name.length - setting.length) > max) return false;
  return distance(name, setting) <= max || isSwapped(name, setting);
}

/**
 * Returns whether two adjacent characters are swapped. This also covers short names such as PORT.
 */
function isSwapped(name: string, setting: string): boolean {
  if (name.length !== setting.length) return false;
  const at = Array.from(setting).findIndex((character, index) => character !== name[index]);
  const swapped = setting.slice(0, at) + (setting[at + 1] ?? '') + (setting[at] ?? '');
  return name === swapped + setting.slice(at + 2);
}

/** Returns the Levenshtein distance. */
function distance(name: string, setting: string): number {
  let row = Array.from({ length: setting.length + 1 }, (_, index) => index);
  for (const [above, character] of Array.from(name).entries()) {
    const next = [above + 1];
    for (let at = 0; at < setting.length; at += 1) {
      const replaced = (row[at] ?? 0) + (setting[at] === character ? 0 : 1);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row[setting.length] ?? 0;
}
