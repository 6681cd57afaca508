import { createRequire } from 'node:module';
import { join } from 'node:path';
import Runtime from 'jest-runtime';
import { ProjectModules } from './project-modules.mjs';

/** What the compiler is told of the place where its output runs. */
const AS_MODULE = {
  isInternalModule: false,
  supportsDynamicImport: true,
  supportsExportNamespaceFrom: true,
  supportsStaticESM: true,
  supportsTopLevelAwait: true,
};

/**
 * Loads test files without a context of their own. Jest's own runtime loads Nest, TypeORM and every
 * other package anew for each test file: more than two seconds of processor time for each of them.
 * Here packages and the service are loaded once a process, and what is under test/ once a test file.
 */
export default class MainContextRuntime extends Runtime {
  #modules;

  constructor(...args) {
    super(...args);
    const [config, , , transformer] = args;
    const service = join(config.rootDir, 'src', '/');
    this.#modules = new ProjectModules(
      (path) => path.startsWith(service),
      (path) => transformer.transform(path, AS_MODULE),
      this.getSourceMaps(),
      (path) => this.requireModuleOrMock(path, '@jest/globals'),
    );
  }

  unstable_importModule(path) {
    return this.#modules.import(path);
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  /** Jest's own: which tests there are is kept in the module itself, so it is new for each file. */
  requireInternalModule(from, to = from) {
    const require = createRequire(from);
    if (to === from) delete require.cache[require.resolve(from)];
    return require(to);
  }

  /** It would wrap that of the one process there is. */
  installGetBuiltinModule() {}
}
