// Builds the service into dist/. It compiles src with swc, which writes the metadata that
// decorators need, and bundles it with the packages (docs/adr/0037-one-bundle.md). It does not
// check types; `npm test` does.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { transform } from '@swc/core';
import { build } from 'esbuild';
import { postmanCollection } from './postman-collection.mjs';

const OUTPUT = 'dist';
/**
 * Entries, each of which becomes a file of dist/. Shared code is written once, so that every class
 * exists once.
 */
const ENTRIES = {
  main: 'src/main.ts',
  cli: 'src/cli.ts',
  internals: 'scripts/internals.mjs',
  // Extensions import this entry as `vendor-reporting-api/extension`.
  extension: 'scripts/extension-entry.mjs',
  // A worker thread runs this entry.
  'answer-thread': 'src/modules/mirror/client/answer-thread.ts',
  // Node.js can import this before an extension, so that the extension finds the service.
  register: 'src/start/extensions/register.ts',
  // Tests of extensions start the service with this: see testing/.
  'testing-host': 'testing/host/testing-host.ts',
};
/** These packages have native code and stay in node_modules. */
const NATIVE = ['better-sqlite3', '@node-rs/argon2'];
/** Nest and TypeORM look for these packages, and work without them. */
const ABSENT = ['@nestjs/microservices', '@nestjs/websockets', 'file-type'];
/** The service reads these folders beside its code (src/platform/files/project-files.ts). */
const FILES = ['assets', 'openapi'];
/** Declarations of what extensions import. */
const TYPES = ['extension.d.ts', 'jsx-runtime.d.ts'];
const PACKAGE_FILES = [
  'chart.js/dist/chart.umd.min.js',
  'swagger-ui-dist/swagger-ui.css',
  'swagger-ui-dist/swagger-ui-bundle.js',
];
/**
 * For a parameter with a type of Express, swc refers to the global class of the same name, which
 * makes Node.js load its whole HTTP client. With this, the output has Object, as from tsc.
 */
const EXPRESS_TYPES = /typeof (Request|Response) === "undefined" \? Object : \1\b/g;
/** Deprecated calls. Node.js warns about them unless the code is in a folder node_modules. */
const DEPRECATED = [
  {
    file: /\/node_modules\/passport-http\/.*\/basic\.js$/,
    call: 'new Buffer(',
    instead: 'Buffer.from(',
  },
  {
    file: /\/node_modules\/parseurl\/index\.js$/,
    call: 'var parse = url.parse\n',
    instead:
      'var parse = (text) => { var parsed = new Url(); parsed.parse(text); return parsed }\n',
  },
];
/** Packages that are not ES modules call `require`. */
const REQUIRE = `import { createRequire as createRequireOf } from 'node:module';
const require = createRequireOf(import.meta.url);`;

const swc = {
  name: 'swc',
  setup({ onLoad }) {
    onLoad({ filter: /\/(src|testing)\/.*\.tsx?$/ }, async ({ path }) => {
      const { code } = await transform(await readFile(path, 'utf8'), optionsFor(path));
      return { contents: code.replaceAll(EXPRESS_TYPES, 'Object'), loader: 'js' };
    });
  },
};

const withoutDeprecated = {
  name: 'without-deprecated',
  setup({ onLoad }) {
    for (const { file, call, instead } of DEPRECATED) {
      onLoad({ filter: file }, async ({ path }) => {
        const code = await readFile(path, 'utf8');
        if (!code.includes(call)) throw new Error(`${path}: no longer has ${call}`);
        return { contents: code.replace(call, instead), loader: 'js' };
      });
    }
  },
};

/** Matches indented lines that define the name of a function, and not of a class. */
const INNER_NAMES = /^[ \t].*\b__name\((?!this, ").*$/gm;

/** Declarations in the list of features. */
const DECLARED = / from '(\.\/[^']+\.feature)\.js'/g;
/** Loads in a declaration of a feature. A start needs all modules, or all modules and all pages. */
const LOADED = /import\('(\.[^']+\.(module|pages)\.js)'\)\)\.(\w+)/g;

/**
 * Bundles the modules of all features together, and all account pages: every file of the bundle
 * costs time at a start.
 */
const loadedTogether = {
  name: 'loaded-together',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\.(module|pages)\.js$/ }, ({ kind, importer, path }) => {
      if (kind !== 'dynamic-import' || !importer.endsWith('.feature.ts')) return undefined;
      return { path: path.endsWith('.module.js') ? 'module' : 'pages', namespace: 'together' };
    });
    onResolve({ filter: /^together:/ }, ({ path }) => {
      return { path: path.slice('together:'.length), namespace: 'together' };
    });
    onLoad({ filter: /./, namespace: 'together' }, ({ path }) => ({
      contents: exportsOf(path),
      resolveDir: process.cwd(),
    }));
  },
};

const packing = run('scripts/kit-packages.mjs');
await build({
  entryPoints: ENTRIES,
  outdir: OUTPUT,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  // If a package has two forms, esbuild uses the ES modules, from which it can leave out unused
  // parts.
  mainFields: ['module', 'main'],
  external: [...NATIVE, ...ABSENT],
  // Nest, TypeORM and the log use the names of classes.
  keepNames: true,
  sourcemap: true,
  sourcesContent: false,
  banner: { js: REQUIRE },
  plugins: [swc, withoutDeprecated, loadedTogether],
  logLevel: 'warning',
});
writeFileSync(
  `${OUTPUT}/jsx-runtime.js`,
  "export { Fragment, jsx, jsxDEV, jsxs } from './extension.js';\n",
);
for (const name of FILES) {
  // The types of the documents are only useful in development.
  const filter = (file) => !file.endsWith('.d.ts');
  cpSync(name, `${OUTPUT}/${name}`, { recursive: true, filter });
}
for (const name of readdirSync('openapi').filter((file) => file.endsWith('.json'))) {
  const document = JSON.parse(await readFile(`openapi/${name}`, 'utf8'));
  const collection = JSON.stringify(await postmanCollection(document), null, 2);
  writeFileSync(
    `${OUTPUT}/openapi/${name.replace('.json', '.postman_collection.json')}`,
    collection,
  );
}
for (const name of TYPES) cpSync(`kit/${name}`, `${OUTPUT}/${name}`);
for (const name of PACKAGE_FILES) cpSync(`node_modules/${name}`, `${OUTPUT}/packages/${name}`);

for (const name of readdirSync(OUTPUT).filter((file) => file.endsWith('.js'))) {
  const code = readFileSync(`${OUTPUT}/${name}`, 'utf8');
  writeFileSync(`${OUTPUT}/${name}`, withoutInnerNames(code));
}

await packing;

/**
 * Keeps the names of classes and of functions that are created once. esbuild would also define the
 * name of each inner function whenever it is created, which took up to a quarter of the time of
 * a request. Both names have the same length, so the source map stays right.
 */
function withoutInnerNames(code) {
  const kept = code.replaceAll(INNER_NAMES, (line) => line.replaceAll('__name(', '__same('));
  if (kept === code) return code;
  const end = kept.lastIndexOf('//# sourceMappingURL=');
  return `${kept.slice(0, end)}function __same(inner) { return inner; }\n${kept.slice(end)}`;
}

/** Runs a script beside this one. */
async function run(script) {
  const child = spawn(process.execPath, [script], { stdio: 'inherit' });
  const [status] = await once(child, 'exit');
  if (status !== 0) throw new Error(`${script} ended with ${status}`);
}

/** Returns the exports of all modules, or all pages, that declarations of features load. */
function exportsOf(kind) {
  const extension = kind === 'pages' ? '.tsx' : '.ts';
  const declarations = Array.from(
    readFileSync('src/features.ts', 'utf8').matchAll(DECLARED),
    ([, path]) => join('src', `${path}.ts`),
  );
  const loads = declarations.flatMap((path) =>
    Array.from(readFileSync(path, 'utf8').matchAll(LOADED), ([, file, of, name]) => {
      const source = resolve(dirname(path), file).replace(/\.js$/, extension);
      return { of, line: `export { ${name} } from ${JSON.stringify(source)};` };
    }),
  );
  return loads
    .filter(({ of }) => of === kind)
    .map(({ line }) => line)
    .join('\n');
}

function optionsFor(path) {
  return {
    filename: path,
    swcrc: false,
    configFile: false,
    sourceMaps: 'inline',
    module: { type: 'es6' },
    jsc: {
      target: 'es2022',
      externalHelpers: true,
      parser: { syntax: 'typescript', decorators: true, tsx: path.endsWith('.tsx') },
      transform: {
        legacyDecorator: true,
        decoratorMetadata: true,
        react: { runtime: 'automatic', importSource: 'preact' },
      },
    },
  };
}
