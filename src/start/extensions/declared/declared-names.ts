import type { ExtensionDeclaration } from '../../../feature.js';
import { FEATURES } from '../../../features.js';
import { migrationPrefixOf } from '../../../platform/database/migrations/migration-records.js';
import { SETTING_NAMES } from '../../load-settings.js';
import { ExtensionError } from '../../../platform/errors/extension-error.js';

const NAME = /^(?=.{2,40}$)[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
const PAGE = /^\/account\/[a-z0-9-]+(?:\/[a-z0-9-]+)*$/;
const SETTING = /^[A-Z][A-Z0-9_]*$/;
const COMMAND = /^[a-z][a-z0-9-]*$/;
/** Commands of the service that no feature declares. */
const OWN_COMMANDS = ['migrate', 'extension', 'help'];
/** Words that name parts of the service, its addresses or its tables. */
const RESERVED = [
  'account',
  'api',
  'extension',
  'extensions',
  'ledger',
  'migration',
  'migrations',
  'service',
];

/** Returns the words with which the names of an extension begin. */
export function prefixesOf(name: string) {
  const snake = name.replaceAll('-', '_');
  return {
    /** Its tables and change kinds: `gift_cards`, and names that begin with `gift_cards_`. */
    table: snake,
    /** Its settings begin with this. */
    setting: `${snake.toUpperCase()}_`,
    /** Its migrations begin with this: `GiftCards`. */
    migration: migrationPrefixOf(name),
  };
}

/** Returns true for the name itself, and for names that begin with it and a separator. */
export function isNamedAfter(text: string, name: string, separator: string): boolean {
  return text === name || text.startsWith(name + separator);
}

/** Keeps extensions from taking names of the service, and of each other. */
export class DeclaredNames {
  private readonly taken = new Map<string, string>();

  /**
   * Checks the names in a declaration, and reserves them.
   * @throws ExtensionError that names the first wrong or taken name
   */
  take(declaration: ExtensionDeclaration): void {
    const { name, settings = {}, commands = {}, pages = {} } = declaration;
    checkName(name);
    this.reserve(name, `the name ${name}`);
    const { setting } = prefixesOf(name);
    for (const { name: own } of Object.values(settings)) {
      const isOwn = SETTING.test(own) && own.startsWith(setting);
      check(isOwn, name, `the setting ${own} does not begin with ${setting}`);
      this.reserve(name, `the setting ${own}`);
    }
    for (const command of Object.keys(commands)) {
      const isOwn = COMMAND.test(command) && isNamedAfter(command, name, '-');
      check(isOwn, name, `the command ${command} is not ${name}, and does not begin with ${name}-`);
      this.reserve(name, `the command ${command}`);
    }
    for (const { path } of Object.values(pages)) {
      const isOwn = PAGE.test(path) && isNamedAfter(path, `/account/${name}`, '/');
      check(isOwn, name, `the page ${path} is not /account/${name}, or below it`);
      this.reserve(name, `the page ${path}`);
    }
  }

  private reserve(extension: string, what: string): void {
    const owner = this.taken.get(what);
    if (owner !== undefined) throw new ExtensionError(extension, `${what} is taken by ${owner}`);
    this.taken.set(what, `the extension ${extension}`);
  }
}

/** @throws ExtensionError if the name is malformed, or names something of the service */
export function checkName(name: string): void {
  const wanted = '2 to 40 lower-case letters, digits and single dashes, beginning with a letter';
  check(NAME.test(name), name, `its name must be ${wanted}`);
  const owner = ownerOf(name);
  check(owner === null, name, `the name is taken by ${owner ?? ''}`);
}

/** Returns what of the service has this name, or begins with it. */
function ownerOf(name: string): string | null {
  const { setting } = prefixesOf(name);
  if (RESERVED.includes(name)) return 'the service';
  const feature = FEATURES.find((each) => each.name === name);
  if (feature !== undefined) return `the feature ${feature.name} of the service`;
  const commands = [
    ...OWN_COMMANDS,
    ...FEATURES.flatMap((each) => Object.keys(each.commands ?? {})),
  ];
  const command = commands.find((each) => isNamedAfter(each, name, '-'));
  if (command !== undefined) return `the command ${command} of the service`;
  const known = SETTING_NAMES.find((each) => each.startsWith(setting));
  if (known !== undefined) return `the setting ${known} of the service`;
  const pages = FEATURES.flatMap((each) => Object.values(each.pages ?? {}));
  const page = pages.find(({ path }) => isNamedAfter(path, `/account/${name}`, '/'));
  return page === undefined ? null : `the page ${page.path} of the service`;
}

function check(isValid: boolean, extension: string, problem: string): void {
  if (!isValid) throw new ExtensionError(extension, problem);
}
