import nodeModule from 'node:module';
import { BUNDLE } from '../../platform/files/project-files.js';

/** Files of the bundle by the names under which extensions import them. */
const KIT = {
  'vendor-reporting-api/extension': new URL('extension.js', BUNDLE).href,
  'vendor-reporting-api/jsx-runtime': new URL('jsx-runtime.js', BUNDLE).href,
};

interface Resolved {
  readonly url: string;
  readonly shortCircuit?: boolean;
}
type Next = (specifier: string, context: object) => Resolved;

/** Newer versions of Node.js have hooks that run in the thread of the importing module. */
interface WithHooks {
  registerHooks(hooks: {
    resolve(specifier: string, context: object, next: Next): Resolved;
  }): unknown;
}

/** Hooks for versions of Node.js that run them in a thread of their own. */
const HOOKS = `const kit = ${JSON.stringify(KIT)};
export function resolve(specifier, context, next) {
  const url = Object.hasOwn(kit, specifier) ? kit[specifier] : undefined;
  return url === undefined ? next(specifier, context) : { url, shortCircuit: true };
}`;

const resolve = (specifier: string, context: object, next: Next): Resolved => {
  const url = new Map(Object.entries(KIT)).get(specifier);
  return url === undefined ? next(specifier, context) : { url, shortCircuit: true };
};

function hasHooks(given: object): given is WithHooks {
  return 'registerHooks' in given;
}

// Modules run once in a process, so the hooks are registered once.
if (hasHooks(nodeModule)) nodeModule.registerHooks({ resolve });
else nodeModule.register(`data:text/javascript,${encodeURIComponent(HOOKS)}`);
