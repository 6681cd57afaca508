import type { Type } from '@nestjs/common';
import type { InstalledExtension } from '../../feature.js';
import { ExtensionError, failureOf } from '../../platform/errors/extension-error.js';
import { isError } from '../../platform/errors/is-error.js';
import type { InstalledPage } from '../../platform/pages/page-router.js';
import { modulesIn } from './registered-parts.js';

/**
 * Lets Nest create the services.
 * @param pages pages whose classes are created, too
 * @throws ExtensionError if Nest cannot create a part of an extension
 */
export async function creatingParts<Result>(
  extensions: readonly InstalledExtension[],
  create: () => Promise<Result>,
  pages: readonly InstalledPage[] = [],
): Promise<Result> {
  if (extensions.length === 0) return create();
  // The service creates its parts without being watched if it has no extension.
  const { watchingParts } = await import('./watched-parts.js');
  const watched = await watchingParts(create);
  if (!('thrown' in watched)) return watched.result;
  const { thrown, failed } = watched;
  if (failed !== null) {
    const page = pages.find(({ type }) => type === failed.type);
    const doing = page === undefined ? failed.doing : `${failed.doing} of the page ${page.path}`;
    const owner = page?.extension ?? (await ownerOf(extensions, failed.module));
    if (owner !== null) throw failureOf(owner, doing, thrown);
  }
  throw ofMissingPart(extensions, pages, thrown) ?? thrown;
}

/** Returns the name of the extension that has a module, or null for one of the service. */
async function ownerOf(extensions: readonly InstalledExtension[], type: Type | null) {
  for (const { module, declaration } of extensions) {
    const found = await modulesIn([module], new Set());
    // A module of the service that several parts import is created for the service.
    if (found.some((each) => each.module === type)) return declaration.name;
  }
  return null;
}

/** Returns the error for a message of Nest that names a module or pages of an extension, or null. */
function ofMissingPart(
  extensions: readonly InstalledExtension[],
  pages: readonly InstalledPage[],
  thrown: unknown,
) {
  if (!isError(thrown)) return null;
  const [line = ''] = thrown.message.split('\n');
  const words = line.split(/\W+/);
  const owner = extensions.find(({ module }) => words.includes(module.name));
  const page = pages.find(({ type, extension }) => extension !== null && words.includes(type.name));
  const name = owner?.declaration.name ?? page?.extension ?? null;
  return name === null ? null : new ExtensionError(name, line.replace(/\.$/, ''));
}
