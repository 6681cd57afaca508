import { Injectable } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { InstalledFeatures } from '../../../feature.js';
import { isClass, metadataOf } from '../../../api/validation/request-inputs.js';
import { DESCRIPTION } from '../../../api/versions/api-operation.js';
import { versionOfPath, isCoreVersion } from '../../../api/versions/api-versions.js';
import { isRecord } from '../../../platform/values/is-record.js';

/** Returns the name of an extension whose operation has this path, or null for other operations. */
export function extensionOfPath(path: string): string | null {
  const version = versionOfPath(path);
  return isCoreVersion(version) ? null : version.slice(0, version.lastIndexOf('-'));
}

/** Finds the summaries of the operations of installed extensions. */
@Injectable()
export class ExtensionOperations {
  constructor(
    private readonly features: InstalledFeatures,
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  /** Returns the summaries by names such as `notes.getNote`, and `notes.page` for pages. */
  titles(): ReadonlyMap<string, string> {
    const names = this.features.extensions.map(({ declaration }) => declaration.name);
    if (names.length === 0) return new Map();
    const pages = names.map((name): [string, string] => [`${name}.page`, `Page, ${name}`]);
    const operations = this.discovery.getControllers().flatMap(({ metatype }) => {
      const path = metadataOf(PATH_METADATA, metatype);
      const extension = typeof path === 'string' ? extensionOfPath(`/${path}`) : null;
      return extension !== null && isClass(metatype) ? this.titlesIn(metatype, extension) : [];
    });
    return new Map([...pages, ...operations]);
  }

  private titlesIn(controller: { readonly prototype: unknown }, extension: string) {
    const { prototype } = controller;
    if (typeof prototype !== 'object' || prototype === null) return [];
    return this.scanner.getAllMethodNames(prototype).flatMap((name): [string, string][] => {
      const description = metadataOf(DESCRIPTION, Reflect.get(prototype, name));
      if (!isRecord(description)) return [];
      const { id, summary } = description;
      return [[`${extension}.${String(id)}`, `${extension}, ${String(summary)}`]];
    });
  }
}
