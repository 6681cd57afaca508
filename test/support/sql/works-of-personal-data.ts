import { OTHER, VENDOR } from '../builders/all-records.js';
import type { RecordedService } from '../servers/recorded-service.js';

/** Commands on retention rules. They leave no rule behind. */
export const RETENTION_COMMANDS: readonly (readonly string[])[] = [
  ...['1', '2'].map((months) => [
    'retention',
    'set',
    '--vendor',
    String(OTHER),
    '--months',
    months,
  ]),
  ['retention', 'set', '--all', '--for-ever'],
  ['retention', 'run'],
  ['retention', 'run', '--vendor', String(OTHER)],
  ['verify'],
  ['retention', 'list'],
  ['retention', 'clear', '--vendor', String(OTHER)],
  ['retention', 'clear', '--all'],
];

/** Stores an old read of personal data, which the service deletes by itself. */
export async function keepOldReads(recorded: RecordedService): Promise<void> {
  await recorded.ledger.run(
    `INSERT INTO personal_reads (vendor_id, read_at, writer, number, user_id, application_id, operation, times)
     VALUES (${VENDOR}, '2020-01-01 00:00:00', 'old', 1, ${VENDOR}, 0, 'getTransaction', 1)`,
  );
}

export async function hasNoOldReads(recorded: RecordedService): Promise<boolean> {
  const old = "SELECT number FROM personal_reads WHERE writer = 'old'";
  return (await recorded.ledger.rows(old)).length === 0;
}
