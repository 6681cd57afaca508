import { Command } from 'commander';
import { shownText } from '../../common/shown-text.js';
import { UnknownAccountError, type ApiApplication } from '../../modules/accounts/account.model.js';
import { ApiApplicationsService } from '../../modules/accounts/applications/api-applications.service.js';
import { parseAuditLine } from '../../modules/audit/audit-line.model.js';
import { OPERATOR, type LoggedAuditEntry } from '../../modules/audit/audit.model.js';
import { AuditService } from '../../modules/audit/audit.service.js';
import { linesOf, openLedger, UnreadableFileError } from '../../ledger-format/ledger-file.js';
import { adviceOn } from '../lost-entries.js';
import { withService } from '../with-service.js';

const NOTHING_MISSING = 0;
const SOME_MISSING = 1;
const UNREADABLE = 2;

/** Entries that are looked for in one statement, and held in memory. */
const MOST_TOGETHER = 100;

/** What is counted while a log is read. */
interface Counts {
  entries: number;
  others: number;
  missing: number;
  urgent: number;
}

/** `audit missing FILE`: what a restore undid. */
export function auditMissingCommand(): Command {
  return new Command('missing')
    .description(
      'list the audit entries that are in a log but not in the database; exit status 0: none, 1: some, 2: unreadable',
    )
    .argument('<file>', 'the log, plain or gzip; - for standard input')
    .action((file: string) =>
      withService(async (services) => {
        const finder = new MissingEntries(
          services.get(AuditService),
          services.get(ApiApplicationsService),
        );
        try {
          return await finder.list(file);
        } catch (error) {
          if (!(error instanceof UnreadableFileError)) throw error;
          process.stderr.write(`${file}: cannot be read: ${error.message}\n`);
          return UNREADABLE;
        }
      }),
    );
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
    let together: LoggedAuditEntry[] = [];
    for await (const line of linesOf(bytes)) {
      const entry = line.bytes === null ? null : parseAuditLine(line.bytes.toString());
      if (entry === null) this.counts.others += 1;
      else together.push(entry);
      if (together.length < MOST_TOGETHER) continue;
      await this.look(together);
      together = [];
    }
    await this.look(together);
    // Else a log that was kept without them would seem to say that nothing is missing.
    if (this.counts.entries === 0) {
      throw new UnreadableFileError('it has no audit lines; AUDIT_LOG=on writes them');
    }
    print(summaryOf(this.counts));
    return this.counts.missing === 0 ? NOTHING_MISSING : SOME_MISSING;
  }

  private async look(entries: readonly LoggedAuditEntry[]): Promise<void> {
    this.counts.entries += entries.length;
    for (const entry of await this.audit.missing(entries)) await this.show(entry);
  }

  private async show(entry: LoggedAuditEntry): Promise<void> {
    const { urgent, todo } = adviceOn(entry, await this.applicationOf(entry));
    this.counts.missing += 1;
    if (urgent) this.counts.urgent += 1;
    print(`${urgent ? '!' : ' '} ${entry.created} UTC  ${entry.action}  ${entry.subject}`);
    print(`      by ${authorOf(entry)}, entry ${entry.id}${doubtOf(entry)}`);
    print(`      ${todo}`);
  }

  private async applicationOf({
    application_id,
  }: LoggedAuditEntry): Promise<ApiApplication | null> {
    try {
      return await this.applications.applicationById(application_id);
    } catch (error) {
      if (error instanceof UnknownAccountError) return null;
      throw error;
    }
  }
}

function authorOf({ user_id, application_id, action }: LoggedAuditEntry): string {
  if (user_id === OPERATOR) return 'the operator';
  const isByKey = application_id > 0 && !/^(?:key|limits)\./.test(action);
  return isByKey ? `user ${user_id} through application ${application_id}` : `user ${user_id}`;
}

function doubtOf({ unknown }: LoggedAuditEntry): string {
  return unknown
    ? ', which may never have been stored: the connection was lost during its commit'
    : '';
}

function summaryOf({ entries, others, missing, urgent }: Counts): string {
  const [all, some, marked, rest] = [entries, missing, urgent, others].map((count) =>
    count.toLocaleString('en'),
  );
  const skipped = `Other lines, skipped: ${rest}.`;
  if (missing === 0) return `Audit entries: ${all}, none missing. ${skipped}`;
  return `Audit entries: ${all}; missing: ${some}; of these urgent, marked with !: ${marked}. ${skipped}`;
}

/** A log may hold anything, and a terminal obeys it. */
function print(line: string): void {
  process.stdout.write(`${shownText(line)}\n`);
}
