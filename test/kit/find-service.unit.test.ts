import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findService } from '../../testing/src/find-service.js';

const HOW =
  'Set VENDOR_REPORTING_API to the folder of the service, or write "vendorReportingApi": { "service": "FOLDER" } into the package.json.';

let folder: string;
let built: string;
let inside: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vendor-reporting-find-'));
  built = join(folder, 'service');
  inside = join(folder, 'extension', 'dist');
  for (const each of [join(built, 'dist'), inside]) mkdirSync(each, { recursive: true });
  writeFileSync(join(built, 'dist', 'testing-host.js'), '');
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function describeExtension(manifest: string): void {
  writeFileSync(join(folder, 'extension', 'package.json'), manifest);
}

describe('findService', () => {
  it('takes the variable before the package.json', () => {
    describeExtension('{"vendorReportingApi": {"service": "../elsewhere"}}');
    expect(findService({ VENDOR_REPORTING_API: built }, inside)).toBe(built);
  });

  it('takes the folder in the nearest package.json, relative to it', () => {
    describeExtension('{"vendorReportingApi": {"service": "../service"}}');
    expect(findService({}, inside)).toBe(built);
    expect(findService({ VENDOR_REPORTING_API: '' }, inside)).toBe(built);
  });

  it('says what to do if no service is named, or a wrong one', () => {
    describeExtension('{"vendorReportingApi": {"accessRows": "./rows.js"}}');
    expect(() => findService({}, inside)).toThrow(`The service is not named. ${HOW}`);
    const missing = join(folder, 'missing');
    expect(() => findService({ VENDOR_REPORTING_API: missing }, inside)).toThrow(
      `The folder of the service, ${missing}, is missing. ${HOW}`,
    );
    expect(() => findService({ VENDOR_REPORTING_API: folder }, inside)).toThrow(
      `The service in ${folder} is not built: run \`npm run build\` there. ${HOW}`,
    );
    describeExtension('{"vendor');
    expect(() => findService({}, inside)).toThrow('package.json is not JSON.');
  });
});

describe('the package of tests', () => {
  it('needs no other package, whose name a stranger could register', () => {
    const manifest: unknown = JSON.parse(readFileSync('testing/package.json', 'utf8'));
    const others = ['dependencies', 'peerDependencies', 'optionalDependencies', 'scripts'];
    expect(Object.keys(manifest ?? {}).filter((field) => others.includes(field))).toEqual([]);
  });
});
