import { Command } from 'commander';
import { AuditService } from './audit.service.js';
import { parseInteger } from '../../platform/commands/options.js';
import { printJson, printError, printLine } from '../../platform/commands/output.js';
import { ServiceCommand } from '../../platform/commands/with-service.js';
import {
  UnknownAccountError,
  type ApiApplication,
  APPLICATION_ACTIONS,
  ApiApplicationsService,
  USER_ACTIONS,
} from '../accounts/index.js';
import { TERMS_ACTIONS } from '../affiliates/index.js';
import {
  adviceIn,
  isByKey,
  parseAuditLine,
  routine,
  stateOf,
  type Advice,
  type LoggedAuditEntry,
} from './audit.model.js';
import { OPERATOR } from '../../platform/values/author.js';
import { PRODUCT_ACTIONS } from '../records-in/index.js';
import { CANCEL_ACTIONS } from '../recurring/index.js';
import { linesOf, openLedger, UnreadableFileError } from '../../ledger/files/ledger-file.js';

export function auditCommand(): Command {
  return new ServiceCommand('audit')
    .description('show the last changes made through the service, one line of JSON each')
    .option('--last <count>', 'how many', parseInteger, 100)
    .run(async (services, { last }: { readonly last: number }) => {
      for (const entry of await services.get(AuditService).lastEntries(last)) printJson(entry);
    })
    .addCommand(auditMissingCommand());
}

const NOTHING_MISSING = 0;
const SOME_MISSING = 1;
const UNREADABLE = 2;

/** Number of entries that one statement looks up. */
const BATCH_SIZE = 100;

const OTHER_ACTIONS = {
  ...USER_ACTIONS,
  ...TERMS_ACTIONS,
  ...PRODUCT_ACTIONS,
  ...CANCEL_ACTIONS,
};

interface Counts {
  entries: number;
  others: number;
  missing: number;
  urgent: number;
}

/** Builds `audit missing FILE`, which lists the changes that a restore undid. */
function auditMissingCommand(): Command {
  return new ServiceCommand('missing')
    .description(
      'list the audit entries that are in a log but not in the database; exit status 0: none, 1: some, 2: unreadable',
    )
    .argument('<file>', 'the log, plain or gzip; - for standard input')
    .run(async (services, file: string) => {
      const finder = new MissingEntries(
        services.get(AuditService),
        services.get(ApiApplicationsService),
      );
      try {
        return await finder.list(file);
      } catch (error) {
        if (!(error instanceof UnreadableFileError)) throw error;
        printError(`${file}: cannot be read: ${error.message}`);
        return UNREADABLE;
      }
    });
}

class MissingEntries {
  private readonly counts: Counts = { entries: 0, others: 0, missing: 0, urgent: 0 };

  constructor(
    private readonly audit: AuditService,
    private readonly applications: ApiApplicationsService,
  ) {}

  /** @returns the exit status */
  async list(file: string): Promise<number> {
    const { bytes } = await openLedger(file);
    let batch: LoggedAuditEntry[] = [];
    for await (const line of linesOf(bytes)) {
      const entry = line.bytes === null ? null : parseAuditLine(line.bytes.toString());
      if (entry === null) this.counts.others += 1;
      else batch.push(entry);
      if (batch.length < BATCH_SIZE) continue;
      await this.check(batch);
      batch = [];
    }
    await this.check(batch);
    // A log without audit lines does not show whether changes are missing.
    if (this.counts.entries === 0) {
      throw new UnreadableFileError('it has no audit lines; AUDIT_LOG=on writes them');
    }
    printLine(summaryOf(this.counts));
    return this.counts.missing === 0 ? NOTHING_MISSING : SOME_MISSING;
  }

  private async check(entries: readonly LoggedAuditEntry[]): Promise<void> {
    this.counts.entries += entries.length;
    for (const entry of await this.audit.missing(entries)) await this.show(entry);
  }

  private async show(entry: LoggedAuditEntry): Promise<void> {
    const { urgent, todo } = adviceOn(entry, await this.findApplication(entry.application_id));
    this.counts.missing += 1;
    if (urgent) this.counts.urgent += 1;
    printLine(`${urgent ? '!' : ' '} ${entry.created} UTC  ${entry.action}  ${entry.subject}`);
    printLine(`      by ${authorOf(entry)}, entry ${entry.id}${doubtOf(entry)}`);
    printLine(`      ${todo}`);
  }

  private async findApplication(id: number): Promise<ApiApplication | null> {
    try {
      return await this.applications.applicationById(id);
    } catch (error) {
      if (error instanceof UnknownAccountError) return null;
      throw error;
    }
  }
}

/** @param found the application with this id in the database; the id may have been reused */
function adviceOn(lost: LoggedAuditEntry, found: ApiApplication | null): Advice {
  const { user_id, created } = stateOf(lost.after);
  const application = found?.user_id === user_id && found?.created === created ? found : null;
  const onApplication = adviceIn(APPLICATION_ACTIONS, lost);
  if (onApplication !== null) {
    const nothing = reasonForNothing(lost.action, application);
    return nothing === null ? onApplication : routine(`Nothing: ${nothing}.`);
  }
  return (
    adviceIn(OTHER_ACTIONS, lost) ??
    routine('See "before" and "after" in the log, and do it again.')
  );
}

function reasonForNothing(action: string, application: ApiApplication | null): string | null {
  if (action === 'key.create') return application === null ? null : 'it is there';
  if (application === null) {
    return 'the application was created after the backup, so its keys do not work';
  }
  return application.state === 'revoked' ? 'the application is revoked' : null;
}

function authorOf(entry: LoggedAuditEntry): string {
  const { user_id, application_id } = entry;
  if (user_id === OPERATOR) return 'the operator';
  return isByKey(entry)
    ? `user ${user_id} through application ${application_id}`
    : `user ${user_id}`;
}

function doubtOf({ unknown }: LoggedAuditEntry): string {
  return unknown
    ? ', which may never have been stored: the connection was lost during its commit'
    : '';
}

function summaryOf({ entries, others, missing, urgent }: Counts): string {
  const format = (count: number) => count.toLocaleString('en');
  const skipped = `Other lines, skipped: ${format(others)}.`;
  if (missing === 0) return `Audit entries: ${format(entries)}, none missing. ${skipped}`;
  return `Audit entries: ${format(entries)}; missing: ${format(missing)}; of these urgent, marked with !: ${format(urgent)}. ${skipped}`;
}
