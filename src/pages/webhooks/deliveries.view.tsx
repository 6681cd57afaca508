import type { WebhookDelivery } from '../../modules/webhooks/webhook.model.js';
import { DateTime } from '../ui/date-time.view.js';
import { Table, type Column } from '../ui/table.view.js';

const COLUMNS: readonly Column<WebhookDelivery>[] = [
  { name: 'Sent', cell: ({ sent }) => <DateTime at={sent} isExact /> },
  { name: 'Changes', isNumber: true, cell: (delivery) => <Changes delivery={delivery} /> },
  { name: 'Outcome', cell: (delivery) => <Outcome delivery={delivery} /> },
  { name: 'Time', isNumber: true, cell: ({ duration_ms }) => `${duration_ms} ms` },
  { name: 'Answer', cell: ({ answer }) => <Answer text={answer} /> },
];

/** Shows the number of changes, with their sequences below. */
function Changes({ delivery }: { readonly delivery: WebhookDelivery }) {
  const { changes, first_sequence: first, last_sequence: last } = delivery;
  return (
    <>
      {changes}
      {first !== null && (
        <>
          <br />
          <span class="hint">{first === last ? first : `${first}–${String(last)}`}</span>
        </>
      )}
    </>
  );
}

function Outcome({ delivery }: { readonly delivery: WebhookDelivery }) {
  const { problem, status, skipped } = delivery;
  if (problem === null) return <>accepted with {status}</>;
  if (skipped === null) return <>{problem}</>;
  return (
    <>
      {problem}; skipped <DateTime at={skipped} isExact />
    </>
  );
}

/** Shows the deliveries, newest first. */
export function Deliveries({ deliveries }: { readonly deliveries: readonly WebhookDelivery[] }) {
  if (deliveries.length === 0) return <p class="empty">Nothing was sent yet.</p>;
  return <Table label="Last deliveries" columns={COLUMNS} rows={deliveries} />;
}

function Answer({ text }: { readonly text: string | null }) {
  if (text === null || text === '') return <>–</>;
  return (
    <details>
      <summary>Show</summary>
      <code>{text}</code>
    </details>
  );
}
