import type { WebhookDelivery } from '../../modules/webhooks/webhook.model.js';
import { DateTime } from '../ui/date-time.view.js';
import { Table, type Column } from '../ui/table.view.js';

const COLUMNS: readonly Column<WebhookDelivery>[] = [
  { name: 'Sent', cell: ({ sent }) => <DateTime at={sent} isExact /> },
  { name: 'Changes', isNumber: true, cell: ({ changes }) => changes },
  { name: 'Outcome', cell: ({ problem, status }) => problem ?? `taken with ${String(status)}` },
  { name: 'Time', isNumber: true, cell: ({ duration_ms }) => `${duration_ms} ms` },
  { name: 'Answer', cell: ({ answer }) => <Answer text={answer} /> },
];

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
