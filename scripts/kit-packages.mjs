// Packs what `extension new` copies into the folder of an extension: vendor-reporting-api with the
// types of src/extension.ts, and vendor-reporting-api-testing with the code of testing/. They become
// dist/kit/NAME-VERSION.tgz. It does not check types; `npm test` does.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { transformSync } from '@swc/core';
import ts from 'typescript';

const FOLDER = 'testing';
const OUTPUT = resolve('dist/kit');
const SWC = {
  swcrc: false,
  configFile: false,
  module: { type: 'es6' },
  jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
};

const { name, version, license } = JSON.parse(readFileSync('package.json', 'utf8'));
const staged = mkdtempSync(join(tmpdir(), 'vendor-reporting-kit-'));
try {
  writeTypes(join(staged, 'types'));
  writeTesting(join(staged, 'testing'));
  mkdirSync(OUTPUT, { recursive: true });
  // An archive of npm has no time stamps, so the same sources give the same bytes.
  const args = ['pack', './types', './testing', '--ignore-scripts', '--silent'];
  const { status } = spawnSync('npm', [...args, '--pack-destination', OUTPUT], {
    cwd: staged,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`npm pack ended with ${status}`);
} finally {
  rmSync(staged, { recursive: true, force: true });
}

/** Writes the package with the types of the public surface. It has nothing to run. */
function writeTypes(folder) {
  const exports = {};
  for (const entry of ['extension', 'jsx-runtime']) {
    exports[`./${entry}`] = { types: `./${entry}.d.ts` };
    write(join(folder, `${entry}.d.ts`), readFileSync(`kit/${entry}.d.ts`, 'utf8'));
  }
  writeManifest(folder, { name, version, private: true, license, type: 'module', exports });
}

function writeTesting(folder) {
  const { name: own, ...rest } = JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8'));
  writeManifest(folder, { name: own, version, ...rest });
  const sources = readdirSync(join(FOLDER, 'src'), { recursive: true });
  for (const file of sources.filter((each) => each.endsWith('.ts'))) compile(file, folder);
}

function writeManifest(folder, manifest) {
  write(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  cpSync('LICENSE', join(folder, 'LICENSE'));
}

function compile(file, folder) {
  const source = readFileSync(join(FOLDER, 'src', file), 'utf8');
  const path = join(folder, 'dist', file.replace(/\.ts$/, ''));
  write(`${path}.js`, transformSync(source, { ...SWC, filename: file }).code);
  write(`${path}.d.ts`, declarationsOf(file, source));
}

function declarationsOf(file, source) {
  const compilerOptions = { isolatedDeclarations: true };
  const declared = ts.transpileDeclaration(source, { fileName: file, compilerOptions });
  const problems = (declared.diagnostics ?? []).map(({ messageText }) =>
    ts.flattenDiagnosticMessageText(messageText, ' '),
  );
  if (problems.length > 0) throw new Error(`${file}: ${problems.join(' ')}`);
  return declared.outputText;
}

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
