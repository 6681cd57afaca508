import { Injectable } from '@nestjs/common';
import { dateTimeOf } from '../../../platform/values/time.js';
import { Database, type Session } from '../../../platform/database/database.js';
import { AccountsService } from '../../accounts/index.js';
import type { Author } from '../../../platform/values/author.js';
import { AuditService } from '../../audit/index.js';
import {
  shownUpstream,
  UnknownUpstreamError,
  UnusableUpstreamError,
  type RunKind,
  type ShownUpstream,
  type Upstream,
  type UpstreamState,
} from './upstream.model.js';
import { UpstreamsRepository } from './upstreams.repository.js';
import { UpstreamCandidatesService, type NewUpstream } from './upstream-candidates.service.js';

/** Changes upstreams. The audit log records each change, without keys. */
@Injectable()
export class UpstreamChangesService {
  constructor(
    private readonly database: Database,
    private readonly repository: UpstreamsRepository,
    private readonly candidates: UpstreamCandidatesService,
    private readonly accounts: AccountsService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Adds the upstream of a vendor, who can have only one. Reading begins at once.
   * @throws UnknownAccountError if there is no such vendor
   * @throws UnusableUpstreamError if the upstream cannot be used, or the vendor has one already
   */
  async add(vendor_id: number, wanted: NewUpstream, by: Author): Promise<ShownUpstream> {
    const content = this.candidates.of(vendor_id, wanted);
    return this.database.write(async (session) => {
      await this.accounts.lockKnownUser(session, vendor_id);
      if ((await this.repository.ofVendor(vendor_id)) !== null) {
        throw new UnusableUpstreamError(`User ${vendor_id} has an upstream already.`);
      }
      const id = await this.repository.add(session, content);
      const { url, state } = content;
      await this.record(session, by, 'upstream.add', { id, vendor_id }, null, { url, state });
      return shownUpstream({ id, ...content }, 0, []);
    });
  }

  /** Pauses or resumes reading. A reading in progress stops within seconds after a pause. */
  setState(id: number, state: UpstreamState, by: Author): Promise<ShownUpstream> {
    return this.change(id, by, `upstream.${state}`, { state, ...atOnce() });
  }

  /** Requests a run, which begins at once. A full run that was requested before stays requested. */
  run(id: number, kind: RunKind, by: Author): Promise<ShownUpstream> {
    return this.change(id, by, 'upstream.run', { wanted: kind, ...atOnce() });
  }

  /** Removes an upstream. The records that were read stay. */
  remove(id: number, by: Author): Promise<ShownUpstream> {
    return this.database.write(async (session) => {
      const before = await this.lockedOf(session, id);
      await this.repository.remove(session, id);
      const { url, state } = before;
      await this.record(session, by, 'upstream.remove', before, { url, state }, null);
      return shownUpstream(before, 0, []);
    });
  }

  private change(id: number, by: Author, action: string, changes: Partial<Upstream>) {
    return this.database.write(async (session) => {
      const before = await this.lockedOf(session, id);
      const keepsFull = before.wanted === 'full' && changes.wanted !== undefined;
      const after = { ...before, ...changes, ...(keepsFull ? { wanted: before.wanted } : {}) };
      await this.repository.change(session, id, { ...changes, wanted: after.wanted });
      await this.record(session, by, action, before, stateOf(before), stateOf(after));
      return shownUpstream(after, 0, await this.repository.problemKinds(id));
    });
  }

  private async lockedOf(session: Session, id: number): Promise<Upstream> {
    const found = await this.repository.locked(session, id);
    if (found === null) throw new UnknownUpstreamError(`There is no upstream ${id}.`);
    return found;
  }

  private record(
    session: Session,
    { user_id, application_id }: Author,
    action: string,
    { id, vendor_id }: Pick<Upstream, 'id' | 'vendor_id'>,
    before: object | null,
    after: object | null,
  ): Promise<void> {
    const subject = `upstream ${id} of user ${vendor_id}`;
    const entry = { user_id, application_id, action, subject, before, after: after ?? {} };
    return this.audit.record(session, entry);
  }
}

/** Returns the fields of an upstream that the audit log records. */
function stateOf({ url, state, wanted }: Pick<Upstream, 'url' | 'state' | 'wanted'>) {
  return { url, state, wanted };
}

/** Makes an upstream due now, without earlier failures. */
function atOnce(): Partial<Upstream> {
  return { failures: 0, next_try: dateTimeOf(new Date()) };
}
