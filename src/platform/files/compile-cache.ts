import module from 'node:module';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('.compile-cache/', import.meta.url));

/**
 * Lets Node.js keep the compiled code, so that the next start does not compile it again. The cache
 * is beside the code, where only users who may change the code can change it. Node.js 20 has no
 * such cache, and where the folder cannot be written Node.js does not use one.
 */
export function useCompileCache(): void {
  const enable: unknown = Reflect.get(module, 'enableCompileCache');
  if (typeof enable === 'function') Reflect.apply(enable, module, [FOLDER]);
}
