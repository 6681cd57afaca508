import type { SignedInVisit } from '../../session/visit.js';
import { DateTime } from '../../ui/date-time.view.js';
import { Panel } from '../../ui/facts.view.js';
import { Form } from '../../ui/layout.view.js';
import { Table, type Column } from '../../ui/table.view.js';
import type { RecentThing } from './recently-made.js';

/** Page to return to after something was revoked or removed. */
const NEXT = '/account/security?done=ended';
const END: Readonly<Record<RecentThing['kind'], string>> = {
  'API key': 'Revoke',
  'Webhook endpoint': 'Remove',
  Mirror: 'Remove',
};

interface Properties {
  readonly visit: SignedInVisit;
  readonly things: readonly RecentThing[];
}

/**
 * Lists keys, endpoints and mirrors that a new password does not end; shows nothing if there are
 * none.
 */
export function Recent({ visit, things }: Properties) {
  if (things.length === 0) return null;
  return (
    <Panel id="recent-title" title="Made in the last 24 hours">
      <p>
        These go on working after a new password and after you sign out everywhere. End what you do
        not recognise.
      </p>
      <Table
        label="Made in the last 24 hours"
        isWide
        columns={[...COLUMNS, { name: 'End', cell: (row) => <End visit={visit} thing={row} /> }]}
        rows={things}
      />
    </Panel>
  );
}

const COLUMNS: readonly Column<RecentThing>[] = [
  { name: 'Name', cell: ({ name, path }) => <a href={path}>{name}</a> },
  { name: 'What it is', cell: ({ kind }) => kind },
  { name: 'Made', cell: ({ made }) => <DateTime at={made} isExact /> },
];

function End({
  visit,
  thing: { kind, name, end },
}: {
  readonly visit: SignedInVisit;
  readonly thing: RecentThing;
}) {
  const label = `${END[kind]} ${name}`;
  return (
    <Form visit={visit} action={end} label={label}>
      <input type="hidden" name="next" value={NEXT} />
      <button class="danger" aria-label={label}>
        {END[kind]}
      </button>
    </Form>
  );
}
