import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readSettings } from '../../src/start/load-settings.js';

const home = process.cwd();
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vendor-reporting-test-'));
  process.chdir(folder);
});
afterEach(() => {
  process.chdir(home);
  rmSync(folder, { recursive: true, force: true });
});

const file = () => join(folder, 'data', 'key-encryption-secret');
const secretIn = (NODE_ENV: string) => readSettings({ NODE_ENV }).keyEncryptionSecret;

describe('KEY_ENCRYPTION_SECRET', () => {
  it('is required in production, and no file stands in for it', () => {
    secretIn('development');
    expect(() => secretIn('production')).toThrow(
      /^KEY_ENCRYPTION_SECRET: is required in production, for example KEY_ENCRYPTION_SECRET=.+$/,
    );
  });

  it('counts as missing in production where it is empty', () => {
    expect(() => readSettings({ NODE_ENV: 'production', KEY_ENCRYPTION_SECRET: '' })).toThrow(
      /is required in production/,
    );
  });

  it('is made in development, long enough to be one', () => {
    expect(secretIn('development').length).toBeGreaterThanOrEqual(32);
  });

  it('is not made where another setting keeps the service from starting', () => {
    expect(() => readSettings({ WORKERS: 'many' })).toThrow(/^WORKERS: /);
    expect(existsSync(file())).toBe(false);
  });

  it('is kept in a file that only its owner can read', () => {
    const secret = secretIn('development');
    expect(readFileSync(file(), 'utf8').trim()).toBe(secret);
    expect((statSync(file()).mode & 0o777).toString(8)).toBe('600');
  });

  it('is the same at the next start', () => {
    expect(secretIn('development')).toBe(secretIn('development'));
  });

  it('is another one in another folder', () => {
    const first = secretIn('development');
    rmSync(join(folder, 'data'), { recursive: true });
    expect(secretIn('development')).not.toBe(first);
  });

  it.each(['', '\n', 'x'.repeat(31)])('is refused where the file holds %j', (content) => {
    mkdirSync(join(folder, 'data'));
    writeFileSync(file(), content);
    expect(() => secretIn('development')).toThrow(
      /^KEY_ENCRYPTION_SECRET: the file data\/key-encryption-secret has fewer than 32 characters/,
    );
    expect(readFileSync(file(), 'utf8')).toBe(content);
  });

  it('leaves nothing beside its file', () => {
    secretIn('development');
    expect(readdirSync(join(folder, 'data'))).toEqual(['key-encryption-secret']);
  });

  it('comes from the environment where it is given, and no file is made', () => {
    const KEY_ENCRYPTION_SECRET = 'given from outside, long enough to be one';
    const settings = readSettings({ NODE_ENV: 'development', KEY_ENCRYPTION_SECRET });
    expect(settings.keyEncryptionSecret).toBe(KEY_ENCRYPTION_SECRET);
    expect(() => statSync(file())).toThrow(/ENOENT/);
  });
});
