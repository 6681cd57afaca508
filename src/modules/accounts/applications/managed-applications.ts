import { Injectable } from '@nestjs/common';
import type { Session } from '../../../platform/database/database.js';
import { OPERATOR } from '../../../platform/values/author.js';
import { AuditService } from '../../audit/index.js';
import {
  SourceApplicationError,
  UnknownAccountError,
  type ApiApplication,
} from '../account.model.js';
import {
  ApiApplicationsRepository,
  type ApplicationChange,
} from './api-applications.repository.js';
import type { ApplicationAction } from '../audited-actions.js';

/** An audited application has `old_key_ends` only if it changes. */
type AuditedApplication = ApiApplication & { readonly old_key_ends?: string };

/** Checks and records every change of an application or of its keys. */
@Injectable()
export class ManagedApplications {
  constructor(
    private readonly repository: ApiApplicationsRepository,
    private readonly audit: AuditService,
  ) {}

  /**
   * Returns an application, locked until the session ends.
   * @param change the planned change of the application; empty for a change of its keys
   * @throws UnknownAccountError if there is none, or it is another user's
   * @throws SourceApplicationError if it is a source, which does not allow this change
   */
  async locked(session: Session, id: number, by: number, change: ApplicationChange = {}) {
    const application = await this.repository.lockedApplication(session, id, by);
    if (application === null) throw UnknownAccountError.ofApplication(id);
    checkSource(application, by, change);
    return application;
  }

  record(
    session: Session,
    by: number,
    action: ApplicationAction,
    before: AuditedApplication | null,
    after: AuditedApplication,
  ): Promise<void> {
    const application_id = after.id;
    const subject = `application ${application_id} of user ${after.user_id}`;
    return this.audit.record(session, {
      user_id: by,
      application_id,
      action,
      subject,
      before,
      after,
    });
  }
}

/**
 * Checks changes of a source. It belongs to the operator: its vendor can only revoke it, and its
 * access level is fixed.
 * @throws SourceApplicationError if the change is not allowed
 */
function checkSource(
  { id, access }: ApiApplication,
  by: number,
  { access: wanted, state }: ApplicationChange,
): void {
  if (access !== 'source' || state === 'revoked') return;
  if (by !== OPERATOR) {
    throw new SourceApplicationError(
      'A source is managed by the operator. You can only revoke it.',
    );
  }
  if (wanted !== undefined) {
    throw new SourceApplicationError(
      `Application ${id} is a source, and its access cannot be changed. Create another application.`,
    );
  }
}
