import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { InstalledFeatures } from '../../../feature.js';
import type { Session } from '../../../platform/database/database.js';
import { StartError } from '../../../platform/errors/domain-error.js';
import { ChangesFeedService } from '../changes-feed.service.js';
import type { ChangeListener } from '../change-listener.model.js';
import { ChangeCursorsRepository } from './change-cursors.repository.js';

/** Maximum length of the name of a listener. */
const NAME_LENGTH = 128;

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
    return this.features.extensions.flatMap(({ parts }) =>
      parts.onChanges.map((type) => this.modules.get(type, { strict: false })),
    );
  }

  /** @throws StartError if a listener has an invalid name, or a kind that the feed does not have */
  check(): Promise<void> {
    const names = new Set<string>();
    for (const { declaration, parts } of this.features.extensions) {
      for (const type of parts.onChanges) {
        const listener: ChangeListener = this.modules.get(type, { strict: false });
        assertNamed(listener, declaration.name);
        if (names.has(listener.name)) {
          throw new StartError(`${type.name} has the name of another listener: ${listener.name}.`);
        }
        names.add(listener.name);
        this.assertKnown(listener);
      }
    }
    return Promise.resolve();
  }

  /**
   * Makes listeners read changes again that they read before personal data was erased. The service
   * erases it from the tables of extensions itself.
   */
  async forgetPersonalData(session: Session, vendor_id: number): Promise<void> {
    if (this.all.length > 0) await this.repository.endLeases(session, vendor_id);
  }

  private assertKnown({ name, kinds = [] }: ChangeListener): void {
    const unknown = kinds.filter((kind) => !this.feed.kinds.includes(kind));
    if (unknown.length === 0) return;
    throw new StartError(`The listener ${name} has unknown change kinds: ${unknown.join(', ')}.`);
  }
}

function assertNamed({ name, constructor }: ChangeListener, extension: string): void {
  const isOwn = name === extension || name.startsWith(`${extension}-`);
  if (isOwn && /^[a-z0-9-]+$/.test(name) && name.length <= NAME_LENGTH) return;
  throw new StartError(
    `${constructor.name} has the name ${JSON.stringify(name)}. A listener of the extension ${extension} is named ${extension}, or ${extension}- and more of a-z, 0-9 and -, with at most ${NAME_LENGTH} characters.`,
  );
}
