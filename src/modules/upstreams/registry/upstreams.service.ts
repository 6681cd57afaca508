import { Injectable } from '@nestjs/common';
import type { Reader, Session } from '../../../database/database.js';
import {
  shownUpstream,
  UnknownUpstreamError,
  type ShownUpstream,
  type Upstream,
} from '../upstream.model.js';
import { UpstreamProblemsRepository } from '../problems/upstream-problems.repository.js';
import { UpstreamsRepository } from '../upstreams.repository.js';
import { UpstreamSecrets } from './upstream-secrets.js';

/** The upstreams of vendors, and how far they are read. */
@Injectable()
export class UpstreamsService {
  constructor(
    private readonly repository: UpstreamsRepository,
    private readonly problems: UpstreamProblemsRepository,
    private readonly secrets: UpstreamSecrets,
  ) {}

  /** Of all vendors. */
  async all(): Promise<ShownUpstream[]> {
    const all = await this.repository.all();
    return Promise.all(all.map((upstream) => this.shown(upstream)));
  }

  /** Null if the vendor has none. */
  async ofVendor(vendor_id: number): Promise<ShownUpstream | null> {
    const found = await this.repository.ofVendor(vendor_id);
    return found === null ? null : this.shown(found);
  }

  /** @throws UnknownUpstreamError */
  async get(id: number): Promise<ShownUpstream> {
    const found = await this.repository.find(id);
    if (found === null) throw new UnknownUpstreamError(`There is no upstream ${id}.`);
    return this.shown(found);
  }

  /**
   * The path that takes notifications of the vendor's upstream: whoever knows it can ring.
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
    return shownUpstream(upstream, waiting, await this.problems.kinds(upstream.id));
  }

  /** Whether a first run is unfinished. @param vendor_id null for any vendor */
  hasFirstRun(reader: Reader, vendor_id: number | null): Promise<boolean> {
    return this.repository.hasFirstRun(reader, vendor_id);
  }

  /** Removes the texts of problems of a vendor's upstream, which may quote a record. */
  async forgetProblemTexts(session: Session, vendor_id: number): Promise<void> {
    await this.repository.forgetProblem(session, vendor_id);
    await this.problems.removeTexts(session, vendor_id);
  }
}
