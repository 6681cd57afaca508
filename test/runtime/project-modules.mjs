import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { SourceTextModule, SyntheticModule } from 'node:vm';

/**
 * Maps the path of a file to its JavaScript, V8's cached form of it and its source map, for every
 * test file of this process.
 */
const compiled = new Map();
/** Maps names to installed packages, each of which is loaded once. */
const packages = new Map();
/** Maps paths to the service's own modules, which later test files reuse. */
const staying = new Map();
/** Test files in one process share the modules of this folder, like the packages. */
const STAYS_LOADED = import.meta.dirname;
let lastPackage = Promise.resolve();
let lastLinked = Promise.resolve();

/**
 * Loads the project's own modules for one test file: those of the tests are new, those of the
 * service and the packages stay loaded. All are in Node's main context, so that an error, an array
 * or a class is identical for a test and the service.
 */
export class ProjectModules {
  #modules = new Map();
  #compile;
  #sourceMaps;
  #testGlobals;
  #stays;

  /**
   * @param {(path: string) => boolean} stays whether later test files reuse a module
   * @param {(path: string) => { code: string, sourceMapPath: string | null }} compile compiles
   * TypeScript
   * @param {Map<string, string>} sourceMaps receives the path of each file's source map
   * @param {(path: string) => object} testGlobals returns a file's '@jest/globals'
   */
  constructor(stays, compile, sourceMaps, testGlobals) {
    this.#stays = stays;
    this.#compile = compile;
    this.#sourceMaps = sourceMaps;
    this.#testGlobals = testGlobals;
    if ([...staying.keys()].some(isRewritten)) staying.clear();
    for (const path of staying.keys()) this.#tellSourceMap(path);
  }

  /** @returns {Promise<object>} the exports of the file */
  async import(path) {
    return (await evaluated(this.#ownModule(path), this.#link)).namespace;
  }

  #link = (name, { identifier: from }) => {
    if (name === '@jest/globals') return moduleOf(name, this.#testGlobals(from));
    if (!/^(?:\.|\/|file:)/.test(name)) return packageOf(name);
    const path = sourceFile(name, dirname(from));
    return dirname(path) === STAYS_LOADED
      ? packageOf(pathToFileURL(path).href)
      : this.#ownModule(path);
  };

  #ownModule(path) {
    const modules = this.#stays(path) ? staying : this.#modules;
    if (!modules.has(path)) modules.set(path, this.#compiledModule(path));
    return modules.get(path);
  }

  #tellSourceMap(path) {
    const { sourceMapPath } = compiled.get(path);
    if (sourceMapPath !== null) this.#sourceMaps.set(path, sourceMapPath);
  }

  #compiledModule(path) {
    const { mtimeMs } = statSync(path);
    const kept = compiled.get(path);
    const isKept = kept?.mtimeMs === mtimeMs;
    const { code, sourceMapPath } = isKept ? kept : this.#read(path);
    const module = new SourceTextModule(code, {
      identifier: path,
      // With it, Node 20 loses the importer of a dynamic import.
      cachedData: isKept && !/\bimport\(/.test(code) ? kept.cachedData : undefined,
      initializeImportMeta: (meta) => {
        const url = pathToFileURL(path).href;
        Object.assign(meta, { url, filename: path, dirname: dirname(path) });
      },
      importModuleDynamically: async (name) =>
        evaluated(await this.#link(name, module), this.#link),
    });
    if (!isKept) {
      const cachedData = module.createCachedData();
      compiled.set(path, { mtimeMs, code, sourceMapPath, cachedData });
    }
    this.#tellSourceMap(path);
    return module;
  }

  #read(path) {
    if (/\.tsx?$/.test(path)) return this.#compile(path);
    return { code: readFileSync(path, 'utf8'), sourceMapPath: null };
  }
}

/**
 * Links and runs a module. Modules are linked one after another, because a module cannot run while
 * another one that imports it is being linked.
 */
async function evaluated(module, link) {
  lastLinked = lastLinked
    .catch(() => undefined)
    .then(() => (module.status === 'unlinked' ? module.link(link) : undefined));
  await lastLinked;
  await module.evaluate();
  return module;
}

function isRewritten(path) {
  return compiled.get(path).mtimeMs !== statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}

/**
 * Loads packages one after another, because Node rejects a `require` of an ES module while an
 * `import` is loading it.
 */
function packageOf(name) {
  if (!packages.has(name)) {
    lastPackage = lastPackage
      .catch(() => undefined)
      .then(async () => moduleOf(name, await import(name)));
    packages.set(name, lastPackage);
  }
  return packages.get(name);
}

/** Returns a module of existing values. */
function moduleOf(identifier, values) {
  const names = Object.keys(values);
  const set = function () {
    for (const name of names) this.setExport(name, values[name]);
  };
  return new SyntheticModule(names, set, { identifier });
}

/** Returns the source file of an import, because TypeScript imports a file by its compiled name. */
function sourceFile(name, folder) {
  const path = name.startsWith('file:') ? fileURLToPath(name) : resolve(folder, name);
  if (!path.endsWith('.js')) return path;
  const sources = ['.ts', '.tsx'].map((extension) => path.replace(/\.js$/, extension));
  return sources.find((source) => existsSync(source)) ?? path;
}
