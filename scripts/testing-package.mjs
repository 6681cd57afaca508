// Packs vendor-reporting-api-testing for repositories of extensions, with the version of the
// service, as dist/kit/vendor-reporting-api-testing-VERSION.tgz. It does not check types; `npm test`
// does.
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

const staged = mkdtempSync(join(tmpdir(), 'vendor-reporting-kit-'));
try {
  writePackage(staged);
  mkdirSync(OUTPUT, { recursive: true });
  // An archive of npm has no time stamps, so the same sources give the same bytes.
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', OUTPUT];
  const { status } = spawnSync('npm', args, {
    cwd: staged,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`npm pack ended with ${status}`);
} finally {
  rmSync(staged, { recursive: true, force: true });
}

function writePackage(folder) {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const { name, ...rest } = JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8'));
  write(join(folder, 'package.json'), `${JSON.stringify({ name, version, ...rest }, null, 2)}\n`);
  cpSync('LICENSE', join(folder, 'LICENSE'));
  const sources = readdirSync(join(FOLDER, 'src'), { recursive: true });
  for (const file of sources.filter((each) => each.endsWith('.ts'))) compile(file, folder);
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
