import { Injectable } from '@nestjs/common';
import type { EntityReader, Session } from '../../../platform/database/database.js';
import {
  shownUpstream,
  UnknownUpstreamError,
  type ShownUpstream,
  type Upstream,
} from './upstream.model.js';
import { UpstreamsRepository } from './upstreams.repository.js';
import { UpstreamSecrets } from './upstream-secrets.js';

/** Returns the upstreams of vendors with the progress of their reading. */
@Injectable()
export class UpstreamsService {
  constructor(
    private readonly repository: UpstreamsRepository,
    private readonly secrets: UpstreamSecrets,
  ) {}

  /** Returns the upstreams of all vendors. */
  async all(): Promise<ShownUpstream[]> {
    const all = await this.repository.all();
    return Promise.all(all.map((upstream) => this.shown(upstream)));
  }

  /** Returns the upstream of a vendor, or null if there is none. */
  async ofVendor(vendor_id: number): Promise<ShownUpstream | null> {
    const found = await this.repository.ofVendor(vendor_id);
    return found === null ? null : this.shown(found);
  }

  /** @throws UnknownUpstreamError if there is no such upstream */
  async get(id: number): Promise<ShownUpstream> {
    const found = await this.repository.find(id);
    if (found === null) throw new UnknownUpstreamError(`There is no upstream ${id}.`);
    return this.shown(found);
  }

  /**
   * Returns the path for notifications of the vendor's upstream. Anyone who knows it can have sales
   * read again.
   * @returns null if the vendor has no upstream
   * @throws UnusableUpstreamError if KEY_ENCRYPTION_SECRET has changed
   */
  async notifyPathOf(vendor_id: number): Promise<string | null> {
    const found = await this.repository.ofVendor(vendor_id);
    if (found === null) return null;
    return `/ledger/v1/upstreams/${found.id}/notify/${this.secrets.tokenOf(found)}`;
  }

  private async shown(upstream: Upstream): Promise<ShownUpstream> {
    const waiting = await this.repository.waiting(upstream.id);
    return shownUpstream(upstream, waiting, await this.repository.problemKinds(upstream.id));
  }

  /**
   * Returns true if a first full run has not ended yet.
   * @param vendor_id null for any vendor
   */
  hasFirstRun(reader: EntityReader, vendor_id: number | null): Promise<boolean> {
    return this.repository.hasFirstRun(reader, vendor_id);
  }

  /** Removes texts about a vendor's upstream that may quote a record. */
  forgetPersonalData(session: Session, vendor_id: number): Promise<void> {
    return this.repository.forgetTexts(session, vendor_id);
  }
}
