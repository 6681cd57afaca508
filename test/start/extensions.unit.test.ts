/** These tests load extensions without starting the service. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { APP_GUARD } from '@nestjs/core';
import {
  Controller,
  Get,
  Module,
  Put,
  VERSION_NEUTRAL,
  type MiddlewareConsumer,
} from '@nestjs/common';
import { key, wholeNumber } from '../../src/platform/database/entities/columns.js';
import { entityOf } from '../../src/platform/database/entities/entity-of.js';
import { Feature } from '../../src/feature.js';
import { loadExtensions } from '../../src/start/extensions/load-extensions.js';
import { loadFeatures } from '../../src/start/installed-features.js';
import { extensionOf } from '../support/servers/extension.js';

const root = mkdtempSync(join(tmpdir(), 'vendor-reporting-extensions-'));
afterAll(() => {
  rmSync(root, { recursive: true });
});

const SOUND = {
  name: 'notes',
  compatibility: '>=0.9',
  versions: [1],
  settings: {
    most: { name: 'NOTES_MOST', kind: 'integer', min: 1, max: 9, default: 5, purpose: 'Limits.' },
  },
};

let folders = 0;
/**
 * Writes an extension whose entry exports this declaration.
 * @returns its folder
 */
function extension(declaration: object | string, manifest: object = { version: '1.2.3' }): string {
  folders += 1;
  const folder = join(root, String(folders));
  const entry =
    typeof declaration === 'string'
      ? declaration
      : `export default { module: () => class {}, ...${JSON.stringify(declaration)} };`;
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', ...manifest }));
  writeFileSync(join(folder, 'index.js'), entry);
  return folder;
}

const load = (...given: readonly string[]) => loadExtensions({ EXTENSIONS: given.join(',') });

describe('An extension', () => {
  it('is loaded from a folder, with the version of its package', async () => {
    const folder = extension(SOUND);
    expect(await load(folder)).toMatchObject([
      { declaration: { name: 'notes', versions: [1] }, version: '1.2.3', folder },
    ]);
  });

  it.each([
    { exports: './start.js' },
    { exports: { '.': './start.js' } },
    { exports: { '.': { types: './start.d.ts', import: './start.js' } } },
    { exports: { node: { default: './start.js' } } },
    { main: 'start.js' },
  ])('may have its entry elsewhere: %j', async (manifest) => {
    const folder = extension(SOUND, manifest);
    writeFileSync(
      join(folder, 'start.js'),
      'export default { name: "other", compatibility: "*", module() {} };',
    );
    expect(await load(folder)).toMatchObject([{ declaration: { name: 'other' } }]);
  });

  it.each([
    ['throws', `throw new Error('at import');`, /loading it failed: Error: at import\.$/],
    ['has no default export', 'export const notes = {};', /its default export is not an object/],
    [
      'is no declaration',
      { compatibility: '*' },
      /not an object .* it is an object without "name"/,
    ],
    ['is a function', 'export default () => ({});', /its default export is .* it is a function/],
    ['is a class', 'export default class {}', /its default export is .* it is a class/],
    ['is a promise', 'export default Promise.resolve({});', /it is an object without "name"/],
    ['is null', 'export default null;', /it is null/],
    ['is a list', 'export default [];', /it is a list/],
    ['throws a text', `throw 'at import';`, /loading it failed: at import\.$/],
    ['throws nothing', 'throw null;', /loading it failed: null\.$/],
    ['throws an object', 'throw Object.create(null);', /failed: an error that cannot be read\.$/],
    [
      'throws an error that cannot be read',
      `throw Object.defineProperty(new Error(), 'message', { get() { throw 1; } });`,
      /loading it failed: an error that cannot be read\.$/,
    ],
    [
      'throws a frozen error with lines',
      `throw Object.freeze(Object.assign(new Error('a\\nb'), { stack: undefined }));`,
      /loading it failed: Error: a b\.$/,
    ],
    [
      'has a getter that throws',
      'export default { get name() { throw null; } };',
      /reading its declaration failed: null\.$/,
    ],
    [
      'has a class as its module',
      'export default { name: "notes", compatibility: "*", module: class {} };',
      /^ExtensionError: Extension notes: "module" is a class, and not a function/,
    ],
    ['has no module', { ...SOUND, module: null }, /"module" is not a function/],
    ...[undefined, null, 1, ['^0.9'], ''].map(
      (compatibility) =>
        [
          `has the compatibility ${JSON.stringify(compatibility)}`,
          { ...SOUND, compatibility },
          /^ExtensionError: Extension notes: .?compatibility/,
        ] as const,
    ),
    ...[-1, 1.5, 100, '1', null, [1]].map(
      (version) =>
        [
          `has the version ${JSON.stringify(version)}`,
          { ...SOUND, versions: [1, version] },
          /^ExtensionError: Extension notes: .* is not a version from 1 to 99\.$/,
        ] as const,
    ),
    ...['settings', 'commands', 'pages'].flatMap((list) => [
      ...[null, 1, 'notes', ['/account/notes']].map(
        (parts) =>
          [
            `has the ${list} ${JSON.stringify(parts)}`,
            { ...SOUND, [list]: parts },
            new RegExp(`^ExtensionError: Extension notes: "${list}" is not an object`),
          ] as const,
      ),
      ...[null, 1, 'notes', []].map(
        (part) =>
          [
            `has ${JSON.stringify(part)} in its ${list}`,
            { ...SOUND, [list]: { notes: part } },
            new RegExp(`^ExtensionError: Extension notes: notes in "${list}" is no object`),
          ] as const,
      ),
    ]),
    ['has a list of versions as text', { ...SOUND, versions: '1' }, /"versions" is not a list/],
    ...(
      [
        [{ kind: 'choice' }, 'has the kind choice, and not integer, flag'],
        [{ kind: undefined }, 'has the kind a undefined'],
        [{ default: 10 }, 'has the default 10, which is not from 1 to 9'],
        [{ min: 10 }, 'has the default 5, which is not from 10 to 9'],
        [{ default: '5' }, 'has no integers "min", "max" and "default"'],
        [{ max: null }, 'has no integers "min", "max" and "default"'],
        [{ purpose: '' }, 'has no text "purpose"'],
        [{ kind: 'flag' }, 'has a default that is neither true nor false'],
        [{ kind: 'flag', default: true, inProduction: 1 }, 'has an "inProduction" that is'],
        [{ kind: 'file' }, 'has no text "example"'],
        [{ kind: 'folder', example: 1 }, 'has no text "example"'],
        [{ kind: 'url', example: 'https://a' }, 'has no text "example" or no text "with"'],
        [{ kind: 'secret', with: 'NOTES_URL', min: 0 }, 'has no positive integer "min"'],
      ] as const
    ).map(
      ([change, problem]) =>
        [
          `has a setting with ${JSON.stringify(change)}`,
          { ...SOUND, settings: { most: { ...SOUND.settings.most, kind: 'integer', ...change } } },
          new RegExp(`^ExtensionError: Extension notes: the setting NOTES_MOST ${problem}`),
        ] as const,
    ),
    [
      'has a setting without a name',
      { ...SOUND, settings: { most: { ...SOUND.settings.most, name: null } } },
      /Extension notes: most in "settings" has no text "name"/,
    ],
    [
      'has a page without a path',
      { ...SOUND, pages: { notes: { permission: null } } },
      /Extension notes: notes in "pages" has no text "path"/,
    ],
    [
      'has a page with an unknown permission',
      { ...SOUND, pages: { notes: { path: '/account/notes' } } },
      /Extension notes: the page \/account\/notes has no permission "account" or null/,
    ],
    [
      'has a page without code',
      { ...SOUND, pages: { notes: { path: '/account/notes', permission: 'account' } } },
      /Extension notes: the page \/account\/notes has no function "load"/,
    ],
    [
      'has a navigation without a label',
      `export default { ...${JSON.stringify(SOUND)}, module() {}, pages: { notes: {
        path: '/account/notes', permission: 'account', load() {}, navigation: { order: 1 } } } };`,
      /Extension notes: the navigation of the page \/account\/notes has no text "label"/,
    ],
    [
      'is for another version',
      { ...SOUND, compatibility: '^0.8' },
      / Extension notes: it works with versions \^0\.8 of the service, and this is \d/,
    ],
    ['has no range', { ...SOUND, compatibility: 'newest' }, /"newest" is not a range/],
    ['is called wrongly', { ...SOUND, name: 'Notes!' }, /its name must be 2 to 40/],
    ['is called like a feature', { ...SOUND, name: 'webhooks' }, /taken by the feature webhooks/],
    ['is called like a command', { ...SOUND, name: 'verify' }, /taken by the command verify/],
    ['is called like settings', { ...SOUND, name: 'database' }, /taken by the setting DATABASE_/],
    ['is called like a page', { ...SOUND, name: 'security' }, /taken by the page \/account\/sec/],
    ['is called like the service', { ...SOUND, name: 'ledger' }, /taken by the service/],
    ['has a version twice', { ...SOUND, versions: [1, 1] }, /"versions" has 1 twice/],
    ['is called like a table', { ...SOUND, name: 'migrations' }, /taken by the service/],
    ['has no version 0', { ...SOUND, versions: [0] }, /0 is not a version from 1 to 99/],
    [
      'has a setting of the service',
      { ...SOUND, settings: { port: { ...SOUND.settings.most, name: 'PORT' } } },
      /the setting PORT does not begin with NOTES_/,
    ],
    [
      'has a command of the service',
      `export default { ...${JSON.stringify(SOUND)}, module() {}, commands: { import: {
        order: 1, load() {} } } };`,
      /the command import is not notes/,
    ],
    [
      'has a command without code',
      { ...SOUND, commands: { notes: { order: 1 } } },
      /the command notes has no number "order" or no function "load"/,
    ],
    [
      'has a page of the service',
      `export default { ...${JSON.stringify(SOUND)}, module() {}, pages: { home: {
        path: '/account/reports', permission: 'account', load() {} } } };`,
      /the page \/account\/reports is not \/account\/notes, or below it/,
    ],
  ])('is refused with one line if it %s', async (_, declaration, message) => {
    const error = await load(extension(declaration)).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'ExtensionError' });
    expect(String(error)).toMatch(message);
    expect(String(error)).not.toContain('\n');
  });

  it.each([
    ['./nowhere', /nowhere\/package\.json cannot be read/],
    ['@acme/nothing', /the package is not installed/],
    ['a package', /^SettingsError: EXTENSIONS: must be packages/],
    ['./twice,./twice', /^SettingsError: EXTENSIONS: must be packages, .* each once/],
  ])('is refused if EXTENSIONS is %s', async (given, message) => {
    await expect(load(given).catch(String)).resolves.toMatch(message);
  });

  it('is refused if it is not built, or has no package.json', async () => {
    const unbuilt = extension(SOUND, { exports: './dist/index.js' });
    await expect(load(unbuilt)).rejects.toThrow('./dist/index.js is missing; build the extension');
    writeFileSync(join(unbuilt, 'package.json'), '{');
    await expect(load(unbuilt)).rejects.toThrow('is not a JSON object');
  });

  it('is refused if another one has its name', async () => {
    await expect(load(extension(SOUND), extension(SOUND))).rejects.toThrow(
      'Extension notes: the name notes is taken by the extension notes.',
    );
  });
});

const tableOf = (tableName: string, name = tableName) =>
  entityOf({ name, tableName, columns: { vendor_id: key(wholeNumber()) } });
const Notes = tableOf('notes');

@Controller({ path: 'extensions/notes/v1/notes', version: VERSION_NEUTRAL })
class NotesController {
  @Get()
  list() {
    return { results: [] };
  }
}

@Controller({ path: 'notes', version: '3.0' })
class CoreController {
  @Get()
  list() {
    return { results: [] };
  }
}

@Controller({ path: ['extensions/notes/v1/a', 'ledger/v1/b'] })
class TwoPathsController {
  @Put('c')
  put() {
    return { results: [] };
  }
}

class Migration {
  up() {
    return Promise.resolve();
  }
  down() {
    return Promise.resolve();
  }
}
class Notes1795000000000 extends Migration {}
class Baseline1767600000000 extends Migration {}
class NotesFirst extends Migration {}

@Module({ controllers: [CoreController] })
class InnerModule {}

@Module({})
class PlainModule {}

const PARTS: Readonly<Record<string, Parameters<typeof Feature>[0]>> = {
  'the table users': { entities: [tableOf('users')] },
  'the entity User is taken by the service': { entities: [tableOf('notes', 'User')] },
  'the migration Baseline1767600000000': { migrations: [Baseline1767600000000] },
  'the migration NotesFirst': { migrations: [NotesFirst] },
  'the operation GET /v3.0/notes': { controllers: [CoreController] },
  'the operation PUT /ledger/v1/b/c': { controllers: [TwoPathsController] },
  'of all operations': { providers: [{ provide: APP_GUARD, useValue: {} }] },
};

function load1(metadata: Parameters<typeof Feature>[0], versions: readonly number[] = [1]) {
  @Feature(metadata)
  class NotesModule {}
  return loadFeatures([extensionOf(NotesModule, { name: 'notes', versions })]);
}

describe('The module of an extension', () => {
  it('registers what carries its name', async () => {
    const features = await load1({
      entities: [Notes],
      migrations: [Notes1795000000000],
      controllers: [NotesController],
    });
    expect(features.schema.extensionMigrations).toEqual([Notes1795000000000]);
    expect(features.schema.entities).toContain(Notes);
  });

  it.each(Object.keys(PARTS))('is refused for %s', async (part) => {
    await expect(load1(PARTS[part] ?? {})).rejects.toThrow(
      new RegExp(`^Extension notes: .*${part.replaceAll('/', '\\/')}`),
    );
  });

  it('is refused for what a module that it imports adds', async () => {
    await expect(load1({ imports: [InnerModule] })).rejects.toThrow('GET /v3.0/notes');
    const dynamic = { module: PlainModule, controllers: [CoreController] };
    await expect(load1({ imports: [Promise.resolve(dynamic)] })).rejects.toThrow('/v3.0/notes');
  });

  it('is refused for an operation of a version that it does not declare', async () => {
    await expect(load1({ controllers: [NotesController] }, [])).rejects.toThrow(
      'the operation GET /extensions/notes/v1/notes is of no version, because "versions" is empty',
    );
  });

  it('is refused for middleware', async () => {
    @Module({})
    class ConfiguringModule {
      configure(consumer: MiddlewareConsumer): void {
        consumer.apply().forRoutes('*');
      }
    }
    await expect(load1({ imports: [ConfiguringModule] })).rejects.toThrow(
      'the module ConfiguringModule adds middleware',
    );
  });

  it.each([
    ['migrations', [undefined], '"migrations" of @Feature has no class at 0'],
    ['migrations', [Notes1795000000000, {}], '"migrations" of @Feature has no class at 1'],
    ['migrations', [PlainModule], 'PlainModule in "migrations" has no method up'],
    ['migrations', null, '"migrations" of @Feature is not a list'],
    ['migrations', [Notes1795000000000, Notes1795000000000], 'is taken by the extension notes'],
    ['checks', [PlainModule], 'PlainModule in "checks" has no method check'],
    ['jobs', ['job'], '"jobs" of @Feature has no class at 0'],
    ['jobs', [PlainModule], 'PlainModule in "jobs" has no method start'],
    ['personalData', [PlainModule], 'PlainModule in "personalData" has no method forget'],
    ['onChanges', [PlainModule], 'PlainModule in "onChanges" has no method changed'],
    ['changes', [null], '"changes" of @Feature has no class at 0'],
    ['entities', [null], '"entities" of @Feature has neither a class nor an object at 0'],
    ['entities', [PlainModule], 'The entity PlainModule must name its table: @Entity("notes")'],
    ['entities', [{}], 'An entity is neither a class nor a schema, as entityOf makes one'],
    ['entities', [entityOf({ name: 'N', tableName: 'notes', columns: {} })], 'no column of a pri'],
    ['entities', {}, '"entities" of @Feature is not a list'],
    ['personalTables', [{}], 'An entity is neither a class nor a schema, as entityOf makes one'],
    ['personalTables', [{ entity: Notes, by: 'name' }], '"by" is not transaction'],
    ['personalTables', [{ entity: Notes, by: 'email', key: '' }], '"key" is no name of a column'],
    ['personalTables', [{ entity: Notes, by: 'email', key: 'a' }], '"columns" is no object'],
    ['providers', [undefined], '"providers" of @Feature has neither a class nor an object at 0'],
    ['controllers', 'all', '"controllers" of @Feature is not a list'],
    ['imports', [undefined], '"imports" of @Feature has neither a class nor an object at 0'],
  ])('is refused with one line for %s %j', async (list, value, problem) => {
    const extension = extensionOf(PlainModule, { name: 'notes' });
    const module = () => {
      @Reflect.apply(Feature, null, [{ [list]: value }])
      class NotesModule {}
      return Promise.resolve(NotesModule);
    };
    const loading = loadFeatures([
      { ...extension, declaration: { ...extension.declaration, module } },
    ]);
    const error: unknown = await loading.catch((thrown: unknown) => thrown);
    expect(String(error)).toMatch(/^ExtensionError: Extension notes: [^\n]*\.$/);
    expect(String(error)).toContain(problem);
  });

  it('is refused if it has no @Feature', async () => {
    await expect(loadFeatures([extensionOf(PlainModule, { name: 'notes' })])).rejects.toThrow(
      'Extension notes: the class that "module" loads has no @Feature.',
    );
  });

  it('is refused if it is no class, or cannot be loaded', async () => {
    const loading = (module: () => Promise<never>) => {
      const extension = extensionOf(PlainModule);
      return loadFeatures([
        { ...extension, declaration: { ...extension.declaration, name: 'notes', module } },
      ]);
    };
    await expect(loading(() => Promise.reject(new Error('no file')))).rejects.toThrow(
      'Extension notes: loading its module failed: Error: no file.',
    );
  });
});
