/** `extension new` writes an extension that compiles, runs and passes its tests. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeExtension } from '../../src/start/extensions/new-extension.js';

const root = mkdtempSync(join(tmpdir(), 'vendor-reporting-new-'));
afterAll(() => {
  rmSync(root, { recursive: true });
});

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

function packagesOf(manifest: Manifest): [name: string, range: string][] {
  const { dependencies, devDependencies, peerDependencies, optionalDependencies } = manifest;
  return [dependencies, devDependencies, peerDependencies, optionalDependencies].flatMap(
    (packages) => Object.entries(packages ?? {}),
  );
}

/** Returns the whole output of a program of Node.js. */
function run(folder: string, ...args: readonly string[]): string {
  const env = { ...process.env, NODE_OPTIONS: '' };
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, env });
  return `${stdout.toString()}${stderr.toString()}`;
}

/** Does what `npm install` does, without a registry: all packages are those of the service. */
function install(folder: string): void {
  const modules = join(folder, 'node_modules');
  for (const [name, range] of packagesOf(manifestIn(folder))) {
    const place = join(modules, name);
    mkdirSync(join(place, '..'), { recursive: true });
    if (!range.startsWith('file:')) {
      symlinkSync(resolve('node_modules', name), place);
      continue;
    }
    mkdirSync(place);
    const archive = join(folder, range.slice('file:'.length));
    execFileSync('tar', ['-xzf', archive, '-C', place, '--strip-components=1']);
  }
}

describe('A new extension', () => {
  const folder = join(root, 'elsewhere', 'gift-cards');
  beforeAll(() => {
    writeExtension('gift-cards', folder);
    install(folder);
  });

  it('names no package that a stranger could register', () => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
      readonly packages: Readonly<Record<string, object>>;
    };
    const manifests = [
      folder,
      join(folder, 'node_modules/vendor-reporting-api'),
      join(folder, 'node_modules/vendor-reporting-api-testing'),
    ].map(manifestIn);
    const named = manifests.flatMap(packagesOf);
    expect(named.map(([name]) => name)).toContain('vendor-reporting-api-testing');
    for (const [name, range] of named) {
      const isCopied = range.startsWith('file:kit/') && existsSync(join(folder, range.slice(5)));
      const isOurs = /^[\^~]?\d/.test(range) && `node_modules/${name}` in packages;
      expect([name, range, isCopied || isOurs]).toEqual([name, range, true]);
    }
  });

  it('has its name in all files, and no name of the template', () => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (path) => !/node_modules|^kit|^dist/.test(path) && /\.\w+$/.test(path),
    );
    expect(files).toContain(join('src', 'gift-cards.module.ts'));
    for (const path of files) {
      const text = readFileSync(join(folder, path), 'utf8');
      expect(path + text).not.toMatch(/sample|SERVICE_/i);
    }
    const page = readFileSync(join(folder, 'src/index.ts'), 'utf8');
    expect(page).toContain("navigation: { label: 'Gift cards', order: 500 }");
  });

  it('compiles against the types of the public surface, and passes its tests', () => {
    expect(run(folder, resolve('node_modules/typescript/bin/tsc'))).toBe('');
    const tests = ['--test', '--test-name-pattern=text', 'dist/test/gift-cards.test.js'];
    const output = run(folder, '--import', 'vendor-reporting-api-testing/register', ...tests);
    expect(output).toMatch(/pass 3\b/);
  });
});

describe('writeExtension', () => {
  const folders = join(root, 'folders');
  const inUse = join(folders, 'in-use');
  const file = join(folders, 'a-file');
  beforeAll(() => {
    mkdirSync(folders);
    mkdirSync(inUse);
    writeFileSync(join(inUse, 'mine.txt'), 'mine');
    writeFileSync(file, 'mine');
    symlinkSync(join(folders, 'nowhere'), join(folders, 'dangling'));
  });

  it.each([
    ['notes', inUse, `${inUse} exists and is not an empty folder.`],
    ['notes', file, `${file} exists and is not an empty folder.`],
    ['notes', join(file, 'below'), `${join(file, 'below')} cannot be written: ENOTDIR.`],
    [
      'notes',
      '/proc/vendor-reporting-new',
      '/proc/vendor-reporting-new cannot be written: ENOENT.',
    ],
    ['notes', join(folders, 'dangling'), `${join(folders, 'dangling')} exists and is not an empty`],
    ['notes', join(folders, 'dangling', 'below'), 'below cannot be written: EEXIST.'],
    ['notes', join(folders, 'a\0b'), 'cannot be written: ERR_INVALID_ARG_VALUE.'],
    ['webhooks', join(folders, 'taken'), 'Extension webhooks: the name is taken by the feature'],
    ['ledger', join(folders, 'taken'), 'Extension ledger: the name is taken by the service'],
    ['../notes', join(folders, 'taken'), 'Extension ../notes: its name must be 2 to 40'],
    ['gift--cards', join(folders, 'taken'), 'Extension gift--cards: its name must be 2 to 40'],
  ])('writes nothing for %s in %s', (name, folder, problem) => {
    const before = readdirSync(folders, { recursive: true, encoding: 'utf8' });
    expect(() => {
      writeExtension(name, folder);
    }).toThrow(problem);
    expect(readdirSync(folders, { recursive: true, encoding: 'utf8' })).toEqual(before);
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });

  it('leaves nothing behind if it fails halfway', () => {
    // The folder can be made, and files in it have paths that are too long.
    const room = 4_095 - folders.length - '/package.json'.length;
    const deep = join(folders, `${'a'.repeat(199)}/`.repeat(room / 200), 'b'.repeat(room % 200));
    const before = readdirSync(folders);
    expect(() => {
      writeExtension('notes', deep);
    }).toThrow('cannot be written: ENAMETOOLONG.');
    expect(readdirSync(folders)).toEqual(before);
  });

  it('uses an empty folder', () => {
    const folder = join(folders, 'empty');
    mkdirSync(folder);
    writeExtension('abc', folder);
    expect(readFileSync(join(folder, 'src/abc.module.ts'), 'utf8')).toContain('class AbcModule');
  });
});
