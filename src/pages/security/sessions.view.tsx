import type { ListedSession } from '../session/session-list.js';
import type { SignedInVisit } from '../session/visit.js';
import { DateTime } from '../ui/date-time.view.js';
import { Panel } from '../ui/facts.view.js';
import { Form } from '../ui/layout.view.js';
import { Table, type Column } from '../ui/table.view.js';

interface Properties {
  readonly visit: SignedInVisit;
  readonly sessions: readonly ListedSession[];
}

/** Lists the browsers in which the user is signed in. */
export function Sessions({ visit, sessions }: Properties) {
  return (
    <Panel id="sessions-title" title="Where you are signed in">
      <Table
        label="Where you are signed in"
        isWide
        columns={[
          ...COLUMNS,
          { name: 'Session', cell: (row) => <End visit={visit} session={row} /> },
        ]}
        rows={sessions}
      />
      {sessions.length > 1 && (
        <Form visit={visit} action="/account/security/sessions/end-others" label="Other browsers">
          <button>Sign out all other browsers</button>
        </Form>
      )}
    </Panel>
  );
}

const COLUMNS: readonly Column<ListedSession>[] = [
  { name: 'Browser', cell: ({ device }) => deviceName(device) },
  { name: 'Address', cell: ({ address }) => address ?? 'unknown' },
  { name: 'Signed in', cell: ({ created }) => <DateTime at={created} /> },
  { name: 'Last used', cell: ({ last_used }) => <DateTime at={last_used} /> },
];

function End({
  visit,
  session: { session_hash, device, isThis },
}: {
  readonly visit: SignedInVisit;
  readonly session: ListedSession;
}) {
  if (isThis) return <span class="badge active">this one</span>;
  const name = `Sign out ${deviceName(device)}`;
  return (
    <Form visit={visit} action="/account/security/sessions/end" label={name}>
      <input type="hidden" name="session" value={session_hash} />
      <button class="quiet" aria-label={name}>
        Sign out
      </button>
    </Form>
  );
}

function deviceName(device: string | null): string {
  return device ?? 'Unknown browser';
}
