import { extensionsIn } from '../../config/settings.js';
import type { LoadedExtension } from '../../feature.js';
import { loadEnvironment } from '../load-settings.js';

/** Loads the extensions that EXTENSIONS names. */
export function loadExtensions(): Promise<readonly LoadedExtension[]> {
  return Promise.resolve(
    extensionsIn(loadEnvironment()).map(() => {
      throw new Error('todo');
    }),
  );
}
