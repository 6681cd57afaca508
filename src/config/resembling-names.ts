import { SETTING_NAMES, type SettingName } from './setting-names.js';
import type { Environment } from './read-value.js';

/** A variable that is no setting, and the setting that was probably meant. */
export interface ResemblingName {
  readonly name: string;
  readonly setting: SettingName;
}

/** Mistakes that a name of so many characters may have: a short one is soon another word. */
const MISTAKES = [
  { from: 15, most: 3 },
  { from: 9, most: 2 },
  { from: 6, most: 1 },
] as const;
/** A setting without its first word must still say what it is about: not URL, PORT or KEY. */
const FEWEST_WORDS_WITHOUT_PREFIX = 2;
const KNOWN: ReadonlySet<string> = new Set(SETTING_NAMES);

/** The variables that are set, are no settings, and look like one that was mistyped. */
export function resemblingNames(environment: Environment): ResemblingName[] {
  return Object.keys(environment).flatMap((name) => {
    // An empty variable is one that is not set, for settings too.
    if (KNOWN.has(name) || (environment[name] ?? '') === '') return [];
    const setting = resembledBy(name);
    return setting === null ? [] : [{ name, setting }];
  });
}

function resembledBy(name: string): SettingName | null {
  const upper = name.toUpperCase().replaceAll('-', '_');
  const meant = upper.replace(/^DB_/, 'DATABASE_');
  const alike = SETTING_NAMES.filter(
    (setting) => isMistyped(meant, setting) || lacksPrefix(upper, setting),
  );
  const nearest = alike.sort((left, right) => mistakes(meant, left) - mistakes(meant, right));
  return nearest[0] ?? null;
}

function isMistyped(name: string, setting: SettingName): boolean {
  if (name === setting) return true;
  const most = MISTAKES.find(({ from }) => setting.length >= from)?.most ?? 0;
  // Cheap to see, and true of nearly every variable there is.
  if (Math.abs(name.length - setting.length) > most) return false;
  return mistakes(name, setting) <= most || isSwapped(name, setting);
}

/** Two neighbours in each other's place, the one mistake that a name such as PORT may have. */
function isSwapped(name: string, setting: string): boolean {
  if (name.length !== setting.length) return false;
  const at = Array.from(setting).findIndex((character, index) => character !== name[index]);
  const swapped = setting.slice(0, at) + (setting[at + 1] ?? '') + (setting[at] ?? '');
  return name === swapped + setting.slice(at + 2);
}

function lacksPrefix(name: string, setting: SettingName): boolean {
  return setting.endsWith(`_${name}`) && name.split('_').length >= FEWEST_WORDS_WITHOUT_PREFIX;
}

/** The Levenshtein distance: how many characters must be added, left out or exchanged. */
function mistakes(name: string, setting: string): number {
  let row = Array.from({ length: setting.length + 1 }, (_, index) => index);
  for (const [above, character] of Array.from(name).entries()) {
    const next = [above + 1];
    for (let at = 0; at < setting.length; at += 1) {
      const exchanged = (row[at] ?? 0) + (setting[at] === character ? 0 : 1);
      next.push(Math.min(exchanged, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row[setting.length] ?? 0;
}
