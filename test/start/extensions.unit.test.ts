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
    ['is no declaration', { compatibility: '*' }, /its default export is not an object/],
    ['has no list of pages', { ...SOUND, pages: ['/account/notes'] }, /its default export is not/],
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
    ['has a version twice', { ...SOUND, versions: [1, 1] }, /no version twice/],
    ['is called like a table', { ...SOUND, name: 'migrations' }, /taken by the service/],
    ['has no version 0', { ...SOUND, versions: [0] }, /0 is not a version from 1 to 99/],
    [
      'has a setting of the service',
      { ...SOUND, settings: { port: { ...SOUND.settings.most, name: 'PORT' } } },
      /the setting PORT does not begin with NOTES_/,
    ],
    [
      'has a command of the service',
      { ...SOUND, commands: { import: { order: 1 } } },
      /the command import is not notes/,
    ],
    [
      'has a command without code',
      { ...SOUND, commands: { notes: { order: 1 } } },
      /the command notes has no number "order" or no function "load"/,
    ],
    [
      'has a page of the service',
      { ...SOUND, pages: { home: { path: '/account/reports', permission: 'account' } } },
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
