import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { Database, type Session } from '../database/database.js';
import { EncryptedValuesRepository } from './encrypted-values.repository.js';
import { SecretStore, type AuditedRewrap, type StoredRow, SecretCipher } from './secret-store.js';

/** Number of rows per transaction. */
const BATCH_SIZE = 500;

/** Counts rows by outcome. */
export interface RewrapCounts {
  readonly rewrapped: number;
  /**
   * Rows that were already encrypted with the current secret, or changed by another process
   * meanwhile.
   */
  readonly current: number;
  readonly unreadable: number;
}

interface RewrapListener {
  /** Records changes in their transaction. */
  audit(session: Session, entries: readonly AuditedRewrap[]): Promise<void>;
  /** Receives the owner of each row that neither secret decrypts, if the kind names owners. */
  onUnreadable(owner: string): void;
}

interface Rewrap {
  readonly row: StoredRow;
  readonly changes: StoredRow;
}

/**
 * Re-encrypts stored values after a change of KEY_ENCRYPTION_SECRET. Only the encrypted columns of
 * a row change, and only if they are still those that were read. The service may run meanwhile, and
 * an interrupted run can be repeated.
 */
@Injectable()
export class RotateSecretsService {
  constructor(
    private readonly database: Database,
    private readonly repository: EncryptedValuesRepository,
    private readonly discovery: DiscoveryService,
  ) {}

  /** Returns the stores of all modules in the order of their positions. */
  stores(): SecretStore[] {
    return this.discovery
      .getProviders()
      .map(({ instance }): unknown => instance)
      .filter((instance) => instance instanceof SecretStore)
      .sort((one, other) => one.values.position - other.values.position);
  }

  async rewrap(
    store: SecretStore,
    oldSecret: string,
    listener: RewrapListener,
  ): Promise<RewrapCounts> {
    const old = new SecretCipher(oldSecret, store.values.purpose);
    const counts = { rewrapped: 0, current: 0, unreadable: 0 };
    let rows: StoredRow[] = [];
    do {
      rows = await this.repository.after(store.values, rows.at(-1), BATCH_SIZE);
      const rewraps: Rewrap[] = [];
      for (const row of rows) {
        const changes = store.rewrapped(row, old);
        if (changes === null) {
          counts.unreadable += 1;
          const owner = store.values.ownerOf?.(row);
          if (owner !== undefined) listener.onUnreadable(owner);
        } else if (Object.keys(changes).length > 0) rewraps.push({ row, changes });
        else counts.current += 1;
      }
      const rewrapped = await this.save(store, rewraps, listener);
      counts.rewrapped += rewrapped;
      counts.current += rewraps.length - rewrapped;
    } while (rows.length > 0);
    return counts;
  }

  /** @returns the number of changed rows */
  private async save(
    store: SecretStore,
    rewraps: readonly Rewrap[],
    listener: RewrapListener,
  ): Promise<number> {
    if (rewraps.length === 0) return 0;
    await store.beforeRewrap(rewraps.map(({ changes }) => changes));
    return this.database.write(async (session) => {
      const rewrapped: StoredRow[] = [];
      for (const { row, changes } of rewraps) {
        const isSame = await this.repository.replace(session, store.values, row, changes);
        if (isSame) rewrapped.push(row);
      }
      if (rewrapped.length > 0) await listener.audit(session, store.values.audited(rewrapped));
      return rewrapped.length;
    });
  }
}
