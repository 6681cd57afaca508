// Writes a release archive, data/vendor-reporting-api-VERSION.tgz, with the bundle, the files that
// `npm ci --omit=dev` needs, and the files for operators. Nothing has to be built after it is
// unpacked.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';

const CONTENT = [
  'dist',
  'package.json',
  'package-lock.json',
  '.npmrc',
  'scripts/prepare.mjs',
  'LICENSE',
  'CHANGELOG.md',
  // The unit of systemd names a page, and operators install the files of these folders.
  'docs',
  'deploy',
];

const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'));
const file = `data/${name}-${version}.tgz`;
mkdirSync('data', { recursive: true });
const folder = `s,^,${name}-${version}/,`;
// The compiled code is specific to this machine.
const options = [
  '--exclude=dist/.compile-cache',
  '--owner=0',
  '--group=0',
  `--transform=${folder}`,
];
execFileSync('tar', ['-czf', file, ...options, ...CONTENT], { stdio: 'inherit' });
console.log(file);
