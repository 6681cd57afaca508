import type { Type } from '@nestjs/common';
import type { ExtensionDeclaration, LoadedExtension } from '../../../src/feature.js';

/** Returns an extension with this module, as the loader returns it. */
export function extensionOf(
  module: Type,
  more: Partial<ExtensionDeclaration> = {},
): LoadedExtension {
  return {
    declaration: {
      name: 'tests',
      compatibility: '*',
      module: () => Promise.resolve(module),
      ...more,
    },
    version: '1.0.0',
    folder: import.meta.dirname,
  };
}
