import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { InstalledFeatures } from '../../../feature.js';
import type { Session } from '../../../platform/database/database.js';
import { StartError } from '../../../platform/errors/domain-error.js';
import { ChangesFeedService } from '../changes-feed.service.js';
import type { ChangeListener } from '../change-listener.model.js';
import { ChangeCursorsRepository } from './change-cursors.repository.js';

const NAME = /^[a-z0-9-]{1,128}$/;

/** Knows the change listeners of all extensions, and checks them before the service starts. */
@Injectable()
export class ChangeListeners {
  constructor(
    private readonly features: InstalledFeatures,
    private readonly modules: ModuleRef,
    private readonly feed: ChangesFeedService,
    private readonly repository: ChangeCursorsRepository,
  ) {}

  /** The listeners in the order of their extensions. */
  get all(): readonly ChangeListener[] {
    return this.features.onChanges.map((type) => this.modules.get(type, { strict: false }));
  }

  /** @throws StartError if a listener has an invalid name, or a kind that the feed does not have */
  check(): Promise<void> {
    const names = new Set<string>();
    for (const { declaration, parts } of this.features.extensions) {
      for (const type of parts.onChanges) {
        const listener: ChangeListener = this.modules.get(type, { strict: false });
        const problem = this.problemOf(listener, declaration.name, names);
        if (problem !== null) throw new StartError(`Extension ${declaration.name}: ${problem}.`);
        names.add(listener.name);
      }
    }
    return Promise.resolve();
  }

  /**
   * Makes listeners read changes again that they read before personal data was erased. The service
   * erases it from the tables of extensions itself.
   */
  async forgetPersonalData(session: Session, vendor_id: number): Promise<void> {
    const names = this.all.map(({ name }) => name);
    if (names.length > 0) await this.repository.endLeases(session, names, vendor_id);
  }

  private problemOf(
    { name, kinds = [] }: ChangeListener,
    extension: string,
    taken: ReadonlySet<string>,
  ): string | null {
    const isOwn = name === extension || name.startsWith(`${extension}-`);
    if (!isOwn || !NAME.test(name)) {
      return `the listener ${name} is not named ${extension}, or ${extension}- and up to 128 characters of a-z, 0-9 and -`;
    }
    if (taken.has(name)) return `two listeners are named ${name}`;
    const unknown = kinds.find((kind) => !this.feed.kinds.includes(kind));
    return unknown === undefined
      ? null
      : `the listener ${name} listens to changes of the kind ${unknown}, which no module has`;
  }
}
