import type { WebhookDelivery } from '../../modules/webhooks/webhook.model.js';
import { DateTime } from '../ui/date-time.view.js';
import { Table, type Column } from '../ui/table.view.js';

const COLUMNS: readonly Column<WebhookDelivery>[] = [
  { name: 'Sent', cell: ({ sent }) => <DateTime at={sent} isExact /> },
  { name: 'Changes', isNumber: true, cell: ({ changes }) => changes },
  { name: 'Sequences', isNumber: true, cell: rangeOf },
  { name: 'Outcome', cell: (delivery) => <Outcome delivery={delivery} /> },
  { name: 'Time', isNumber: true, cell: ({ duration_ms }) => `${duration_ms} ms` },
  { name: 'Answer', cell: ({ answer }) => <Answer text={answer} /> },
];

function rangeOf({ first_sequence, last_sequence }: WebhookDelivery): string {
  if (first_sequence === last_sequence) return String(first_sequence ?? '–');
  return `${String(first_sequence)}–${String(last_sequence)}`;
}

function Outcome({ delivery }: { readonly delivery: WebhookDelivery }) {
  const { problem, status, skipped } = delivery;
  if (problem === null) return <>taken with {status}</>;
  if (skipped === null) return <>{problem}</>;
  return (
    <>
      {problem}; skipped <DateTime at={skipped} isExact />
    </>
  );
}

/** Newest first. */
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
