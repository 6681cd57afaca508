import type { DoneKind } from './application.view.js';

/** The sentence that a user confirms with the password, and the label of the button. */
type Words = readonly [sentence: string, button: string];

/** Words for each change of an application; the parameter is the application's isolated name. */
const WORDS: Readonly<Record<DoneKind | 'key', (name: string) => Words>> = {
  key: (name) => [`The key of ${name} will be shown.`, 'Show the key'],
  rotate: (name) => [`${name} will get a new key.`, 'Create a new key'],
  'end-overlap': (name) => [`The old key of ${name} will stop working.`, 'End the old key now'],
  rename: (name) => [`The name of ${name} will be changed.`, 'Change the name'],
  access: (name) => [`The access of ${name} will be changed.`, 'Change the access'],
  expiry: (name) => [`The last day of ${name} will be changed.`, 'Change the last day'],
  addresses: (name) => [
    `The addresses that may use the keys of ${name} will be changed.`,
    'Change the addresses',
  ],
  revoke: (name) => [`${name} and all its keys will be revoked permanently.`, `Revoke ${name}`],
};

const DANGEROUS: ReadonlySet<DoneKind | 'key'> = new Set(['end-overlap', 'revoke']);

export function confirmationOf(kind: DoneKind | 'key', name: string) {
  const [sentence, button] = WORDS[kind](name);
  return { sentence, button, isDangerous: DANGEROUS.has(kind) };
}
