import type { ExtensionDeclaration } from '../../../feature.js';
import { isFunction } from '../../../api/validation/request-inputs.js';
import { ExtensionError } from '../../../platform/errors/extension-error.js';
import { NAVIGATION_GROUPS } from '../../../platform/pages/navigation.js';
import { isRecord } from '../../../platform/values/is-record.js';
import { problemOfSetting } from './checked-setting.js';

const MAX_VERSION = 99;
const WANTED =
  'an object with the texts "name" and "compatibility", and the function "module"; it is';
const PERMISSIONS: readonly unknown[] = ['account', null];
const GROUPS: readonly unknown[] = NAVIGATION_GROUPS;

/**
 * Returns a copy of a declaration, whose parts have the right types. Getters of the original run
 * here, and never again.
 * @param given what EXTENSIONS calls the extension
 * @throws ExtensionError that names the first wrong part
 */
export function declarationIn(given: string, value: unknown): ExtensionDeclaration {
  if (!isRecord(value)) throw notDeclared(given, kindOf(value));
  const declared = copyOf(value);
  const { name, compatibility, module } = declared;
  if (typeof name !== 'string') throw notDeclared(given, `an object without "name"`);
  const fail = (problem: string) => new ExtensionError(name, problem);
  if (typeof compatibility !== 'string') throw fail('"compatibility" is not a text such as ^0.9');
  if (!isFunction(module)) throw fail('"module" is not a function that loads the module');
  if (isClassItself(module)) throw fail('"module" is a class, and not a function that loads it');
  for (const problem of problemsOf(declared)) throw fail(problem);
  if (!isChecked(declared)) throw notDeclared(given, 'another object');
  return declared;
}

function notDeclared(given: string, found: string): ExtensionError {
  return new ExtensionError(given, `its default export is not ${WANTED} ${found}`);
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (Array.isArray(value)) return 'a list';
  if (value === null) return 'null';
  if (!isFunction(value)) return `a ${typeof value}`;
  return isClassItself(value) ? 'a class' : 'a function';
}

function isClassItself(value: object): boolean {
  return Function.prototype.toString.call(value).startsWith('class');
}

type Plain = Readonly<Record<string, unknown>>;

/** Copies the declaration with the parts of its lists. */
function copyOf(value: Plain): Plain {
  const { name, compatibility, module, versions, settings, commands, pages } = value;
  return {
    name,
    compatibility,
    module,
    ...(versions === undefined ? {} : { versions: copyOfList(versions) }),
    ...(settings === undefined ? {} : { settings: copyOfParts(settings) }),
    ...(commands === undefined ? {} : { commands: copyOfParts(commands) }),
    ...(pages === undefined ? {} : { pages: copyOfParts(pages) }),
  };
}

function copyOfList(list: unknown): unknown {
  return Array.isArray(list) ? [...(list as readonly unknown[])] : list;
}

function copyOfParts(parts: unknown): unknown {
  if (!isRecord(parts)) return parts;
  return Object.fromEntries(
    Object.entries(parts).map(([name, part]) => [name, isRecord(part) ? { ...part } : part]),
  );
}

/** The checks below have shown this. */
function isChecked(declared: Plain): declared is Plain & ExtensionDeclaration {
  return problemsOf(declared).next().done === true;
}

function* problemsOf({ versions = [], ...lists }: Plain): Generator<string, void> {
  yield* problemsOfVersions(versions);
  yield* problemsOfParts('settings', lists.settings, problemOfSetting);
  yield* problemsOfParts('commands', lists.commands, problemOfCommand);
  yield* problemsOfParts('pages', lists.pages, problemOfPage);
}

function* problemsOfVersions(versions: unknown): Generator<string, void> {
  if (!Array.isArray(versions)) {
    yield '"versions" is not a list of numbers';
    return;
  }
  const all: readonly unknown[] = versions;
  for (const [at, version] of all.entries()) {
    const isValid = Number.isInteger(version) && Number(version) >= 1;
    const isSmall = Number(version) <= MAX_VERSION;
    if (!isValid || !isSmall) yield `${shown(version)} is not a version from 1 to ${MAX_VERSION}`;
    if (all.indexOf(version) < at) yield `"versions" has ${shown(version)} twice`;
  }
}

function shown(value: unknown): string {
  const isWritten = typeof value === 'string' || typeof value === 'number';
  return isWritten ? JSON.stringify(value) : `a value of the type ${typeof value}`;
}

function* problemsOfParts(
  list: string,
  parts: unknown = {},
  problemOf: (name: string, part: Plain) => string | null,
): Generator<string, void> {
  if (!isRecord(parts)) {
    yield `"${list}" is not an object with a name for each of them`;
    return;
  }
  for (const [name, part] of Object.entries(parts)) {
    const problem = isRecord(part) ? problemOf(name, part) : `${name} in "${list}" is no object`;
    if (problem !== null) yield problem;
  }
}

function problemOfCommand(name: string, { order, load }: Plain): string | null {
  const isLoaded = isFunction(load) && Number.isFinite(order);
  return isLoaded ? null : `the command ${name} has no number "order" or no function "load"`;
}

function problemOfPage(name: string, page: Plain): string | null {
  const { path, permission, load, navigation, group, keeps = [] } = page;
  if (typeof path !== 'string') return `${name} in "pages" has no text "path"`;
  if (!PERMISSIONS.includes(permission)) {
    return `the page ${path} has no permission "account" or null`;
  }
  if (!isFunction(load)) return `the page ${path} has no function "load"`;
  if (group !== undefined && !GROUPS.includes(group)) {
    return `the group of the page ${path} is none of ${NAVIGATION_GROUPS.join(', ')}`;
  }
  if (!Array.isArray(keeps) || !keeps.every((parameter) => typeof parameter === 'string')) {
    return `"keeps" of the page ${path} is no list of texts`;
  }
  if (navigation === undefined) return null;
  const { label, order } = isRecord(navigation) ? navigation : {};
  const isShown = typeof label === 'string' && label.trim() !== '' && Number.isFinite(order);
  return isShown
    ? null
    : `the navigation of the page ${path} has no text "label" or no number "order"`;
}
