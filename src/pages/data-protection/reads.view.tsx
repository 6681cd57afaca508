import { NO_APPLICATION, OPERATOR } from '../../modules/audit/audit.model.js';
import {
  keysOf,
  operationText,
  type KeptReads,
} from '../../modules/personal-reads/personal-read.model.js';
import { numberText } from '../reports/figures.view.js';
import { transactionPath } from '../transactions/transaction-path.js';
import { subscriptionPath } from '../subscriptions/subscription-paths.js';
import { DateTime } from '../ui/date-time.view.js';
import { Table, type Column } from '../ui/table.view.js';

/** Maximum number of records of a row that are shown. */
const SHOWN_KEYS = 10;
const OF_SUBSCRIPTIONS = new Set(['getRecurringPayment', 'page.subscription']);

/** Names of the users and applications that read, by id. */
export interface Readers {
  readonly vendor_id: number;
  readonly users: ReadonlyMap<number, string>;
  /** Applications of the vendor. */
  readonly applications: ReadonlyMap<number, string>;
}

/** Shows the reads, newest first. */
export function Reads({
  reads,
  readers,
}: {
  readonly reads: readonly KeptReads[];
  readonly readers: Readers;
}) {
  const columns: Column<KeptReads>[] = [
    { name: 'When', cell: ({ read_at }) => <DateTime at={read_at} isExact /> },
    { name: 'Who', cell: (row) => <Reader of={row} readers={readers} /> },
    { name: 'How', cell: ({ operation }) => operationText(operation) },
    { name: 'What', cell: (row) => <Records of={row} /> },
  ];
  return <Table isWide label="Reads of customers’ data" columns={columns} rows={reads} />;
}

function Reader({
  of: { user_id, application_id },
  readers,
}: {
  readonly of: KeptReads;
  readonly readers: Readers;
}) {
  if (user_id === OPERATOR) return <>the operator</>;
  const isOwn = user_id === readers.vendor_id;
  const user = readers.users.get(user_id) ?? `user ${user_id}`;
  if (application_id === NO_APPLICATION) return <>{isOwn ? 'you, signed in' : user}</>;
  const name = readers.applications.get(application_id) ?? String(application_id);
  return isOwn ? <>application {name}</> : <>an application of {user}</>;
}

function Records({ of: row }: { readonly of: KeptReads }) {
  const keys = keysOf(row);
  if (row.record_keys === null) return <>{listText(row)}</>;
  const pathOf = OF_SUBSCRIPTIONS.has(row.operation) ? subscriptionPath : transactionPath;
  const more = keys.length - SHOWN_KEYS;
  return (
    <>
      {keys.slice(0, SHOWN_KEYS).map((key, index) => (
        <>
          {index > 0 && ', '}
          <a href={pathOf(key)}>{key}</a>
        </>
      ))}
      {more > 0 && ` and ${numberText(more)} more`}
    </>
  );
}

function listText({ first_day, last_day, records, times }: KeptReads): string {
  const range = first_day === null ? '' : ` of ${first_day} to ${last_day}`;
  const lists = times === 1 ? 'a list' : `${numberText(times)} lists`;
  const count = records === null ? '' : `, ${numberText(records)} records`;
  return `${lists}${range}${count}`;
}
