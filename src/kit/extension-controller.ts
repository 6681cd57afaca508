import { Controller, VERSION_NEUTRAL } from '@nestjs/common';
import { extensionPath } from '../api/versions/api-versions.js';

/**
 * Marks a controller of an extension. Its operations begin with `/extensions/NAME/vVERSION`.
 * @param extension - name of the extension, such as `notes`
 * @param version - number of the version, which the declaration of the extension lists
 * @param path - path below the version, such as `sales/:transaction_id`; empty for the version itself
 */
export function ExtensionController(extension: string, version: number, path = ''): ClassDecorator {
  return Controller({
    path: `${extensionPath(extension, version)}/${path}`,
    version: VERSION_NEUTRAL,
  });
}
