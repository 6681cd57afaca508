// Writes the public surface for extensions into kit/: extension.d.ts with all its types, which
// extensions compile against, and extension.api.md, the report that shows every change of it in a
// review. With `--check` it writes nothing, and fails if a file differs or an export has no doc
// comment. Members of classes that are marked with `@internal` are left out.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { Extractor, ExtractorConfig } from '@microsoft/api-extractor';
import ts from 'typescript';

const ENTRY = resolve('src/extension.ts');
const SOURCE = resolve('src');
const KIT = 'kit';
const isCheck = process.argv.includes('--check');

const folder = mkdtempSync(join(tmpdir(), 'extension-api-'));
try {
  writeDeclarations(folder);
  extract(folder);
  for (const name of ['extension.d.ts', 'extension.api.md']) {
    writeOrCheck(join(KIT, name), readFileSync(join(folder, 'written', name), 'utf8'));
  }
  checkComments(readFileSync(join(folder, 'written/extension.d.ts'), 'utf8'));
} finally {
  rmSync(folder, { recursive: true });
}

/** Writes the declarations of src/extension.ts, and of the files that they refer to. */
function writeDeclarations(output) {
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, '.');
  const program = ts.createProgram([ENTRY], {
    ...options,
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    stripInternal: true,
    sourceMap: false,
  });
  const found = new Set([ENTRY]);
  // The loop reaches the files that are added meanwhile.
  for (const path of found) {
    const write = (_, text) => {
      const file = join(output, relative(SOURCE, path).replace(/\.tsx?$/, '.d.ts'));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      for (const { fileName } of ts.preProcessFile(text).importedFiles) {
        if (fileName.startsWith('.')) found.add(sourceOf(resolve(dirname(path), fileName)));
      }
    };
    const { diagnostics } = program.emit(program.getSourceFile(path), write, undefined, true);
    for (const { messageText } of diagnostics) {
      fail(`${path}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`);
    }
  }
}

/** Returns the source file that a compiled file comes from. */
function sourceOf(compiled) {
  const path = compiled.replace(/\.js$/, '.ts');
  return ts.sys.fileExists(path) ? path : `${path}x`;
}

/** Puts the declarations together. */
function extract(declarations) {
  const packageJson = join(declarations, 'package.json');
  const { name, version, type } = JSON.parse(readFileSync('package.json', 'utf8'));
  writeFileSync(packageJson, JSON.stringify({ name, version, type }));
  symlinkSync(resolve('node_modules'), join(declarations, 'node_modules'));
  const config = ExtractorConfig.prepare({
    configObject: configurationFor(declarations),
    configObjectFullPath: undefined,
    packageJsonFullPath: packageJson,
  });
  mkdirSync(join(declarations, 'written'));
  const { succeeded } = Extractor.invoke(config, {
    localBuild: true,
    messageCallback: (message) => {
      message.handled = message.logLevel !== 'error';
    },
  });
  if (!succeeded) fail('The declarations do not fit together.');
}

function configurationFor(projectFolder) {
  const written = join(projectFolder, 'written');
  return {
    projectFolder,
    mainEntryPointFilePath: join(projectFolder, 'extension.d.ts'),
    compiler: {
      overrideTsconfig: {
        compilerOptions: {
          module: 'nodenext',
          target: 'es2023',
          strict: true,
          skipLibCheck: true,
          types: ['node'],
          jsx: 'react-jsx',
          jsxImportSource: 'preact',
        },
        files: [join(projectFolder, 'extension.d.ts')],
      },
    },
    apiReport: {
      enabled: true,
      includeForgottenExports: true,
      reportFileName: 'extension.api.md',
      reportFolder: written,
      reportTempFolder: join(projectFolder, 'temporary'),
    },
    docModel: { enabled: false },
    dtsRollup: { enabled: true, untrimmedFilePath: join(written, 'extension.d.ts') },
    tsdocMetadata: { enabled: false },
    messages: {
      compilerMessageReporting: { default: { logLevel: 'error' } },
      extractorMessageReporting: { default: { logLevel: 'none' } },
      tsdocMessageReporting: { default: { logLevel: 'none' } },
    },
    newlineKind: 'lf',
  };
}

/** Fails for each export without a doc comment. */
function checkComments(declarations) {
  const undocumented = declarations.matchAll(/(?<! \*\/\n)^export declare (.*)$/gm);
  for (const [, declaration] of undocumented) fail(`No doc comment: ${declaration}`);
}

function writeOrCheck(file, text) {
  if (!isCheck) writeFileSync(file, text);
  else if (text !== readFileSync(file, 'utf8'))
    fail(`${file} is out of date: npm run extension-api`);
}

function fail(text) {
  console.error(text);
  process.exitCode = 1;
}
