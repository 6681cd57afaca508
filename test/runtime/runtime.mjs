import { createRequire } from 'node:module';
import { join } from 'node:path';
import Runtime from 'jest-runtime';
import { ProjectModules } from './project-modules.mjs';

/** Properties of the runtime that the compiler needs to know. */
const AS_MODULE = {
  isInternalModule: false,
  supportsDynamicImport: true,
  supportsExportNamespaceFrom: true,
  supportsStaticESM: true,
  supportsTopLevelAwait: true,
};

/**
 * Loads test files without a context of their own. Jest's own runtime loads Nest, TypeORM and every
 * other package again for each test file, which costs seconds of processor time each. This one
 * loads packages and the service once in a process, and the modules under test/ once for each test
 * file.
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

  /**
   * Loads Jest's own modules. They hold the list of tests themselves, so they are new for each
   * file.
   */
  requireInternalModule(from, to = from) {
    const require = createRequire(from);
    if (to === from) delete require.cache[require.resolve(from)];
    return require(to);
  }

  /** Does nothing, since it would wrap the function of the only process. */
  installGetBuiltinModule() {}
}
