import { Injectable } from '@nestjs/common';
import { InstalledFeatures } from '../../feature.js';
import { personalNamesOf } from '../../platform/database/extensions/extension-tables.js';
import type { Session } from '../../platform/database/database.js';
import { isRecord } from '../../platform/values/is-record.js';
import type { AuditEntry } from './audit.model.js';
import { AuditService } from './audit.service.js';

/** An audit entry of an extension. */
export type ExtensionAuditEntry = Omit<AuditEntry, 'source'>;

/** Stands for a value that is personal data. */
const NOT_KEPT = 'not kept';

/**
 * Writes entries of extensions to the audit log. Erasures do not reach the log, so it keeps no
 * values of columns with personal data.
 */
@Injectable()
export class AuditLog {
  /** @internal */
  constructor(
    private readonly audit: AuditService,
    private readonly features: InstalledFeatures,
  ) {}

  /**
   * Adds an entry in the transaction of the change itself. Each property of `before` and `after`, at
   * any depth, that is named like a column with personal data of an installed extension has the
   * value `"not kept"`, or null if it is null. The subject is stored as it is.
   * @throws Error if the action does not begin with the name of an installed extension and a dot
   */
  async record(session: Session, entry: ExtensionAuditEntry): Promise<void> {
    const { action, before = null, after } = entry;
    const names = this.features.extensions.map(({ declaration }) => declaration.name);
    if (!names.some((name) => action.startsWith(`${name}.`))) {
      throw new Error(`The action ${action} does not begin with the name of an extension.`);
    }
    const personal = this.personalColumns();
    await this.audit.record(session, {
      ...entry,
      before: before === null ? null : withoutValues(before, personal),
      after: withoutValues(after, personal),
    });
  }

  private personalColumns(): ReadonlySet<string> {
    const tables = this.features.extensions.flatMap(({ parts }) => parts.personalTables);
    return new Set(tables.flatMap(personalNamesOf));
  }
}

function withoutValues(state: object, personal: ReadonlySet<string>): object {
  if (Array.isArray(state)) return state.map((value: unknown) => valueWithout(value, personal));
  const entries = Object.entries(state).map(([name, value]: [string, unknown]) => [
    name,
    personal.has(name) && value !== null && value !== undefined
      ? NOT_KEPT
      : valueWithout(value, personal),
  ]);
  return Object.fromEntries(entries) as object;
}

function valueWithout(value: unknown, personal: ReadonlySet<string>): unknown {
  return Array.isArray(value) || isRecord(value) ? withoutValues(value, personal) : value;
}
