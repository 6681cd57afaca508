import type { ComponentChildren } from 'preact';
import { LinkLine, Panel, Setting } from './facts.view.js';
import { Table, times, type Column } from './table.view.js';

/** A change that was made. */
export interface HistoryLine {
  /** Time of the change, in UTC. */
  readonly created: string;
  readonly who: ComponentChildren;
  /** The action in words. */
  readonly what: ComponentChildren;
  /** Changed fields in words. */
  readonly changes: readonly ComponentChildren[];
  /** Text that says what the reader may do about the change. */
  readonly advice?: ComponentChildren;
}

const COLUMNS: readonly Column<HistoryLine>[] = [
  times('When', ({ created }) => created),
  { name: 'Who', narrow: 'bare', cell: ({ who }) => who },
  { name: 'What', narrow: 'title', cell: ({ what }) => what },
  {
    name: 'Details',
    narrow: 'lines',
    isZero: ({ changes, advice }) => changes.length === 0 && advice === undefined,
    cell: ({ changes, advice }) => (
      <>
        <Changes texts={changes} />
        {advice !== undefined && <span class="hint"> {advice}</span>}
      </>
    ),
  },
];

/** Shows changes, newest first. */
export function HistoryTable({
  label,
  lines,
  empty,
}: {
  readonly label: string;
  readonly lines: readonly HistoryLine[];
  readonly empty: ComponentChildren;
}) {
  return <Table label={label} columns={COLUMNS} rows={lines} empty={empty} />;
}

/** The last changes of a thing. */
export interface ShownHistory {
  readonly lines: readonly HistoryLine[];
  /** Address of the page with all of them. */
  readonly all: string;
}

/** Shows the last changes of a thing on its page. */
export function History(history: ShownHistory) {
  return (
    <Panel id="history-title" title="History">
      <LastChanges {...history} />
    </Panel>
  );
}

/** Shows the last changes of a thing on its page, which consists of settings. */
export function HistorySetting(history: ShownHistory) {
  return (
    <Setting id="history-title" title="History" about={<p>Who changed what, newest first.</p>}>
      <LastChanges {...history} />
    </Setting>
  );
}

/** Shows changes in a part of a page, with a link to all of them. */
export function LastChanges({ lines, all }: ShownHistory) {
  return (
    <>
      <HistoryTable label="History" lines={lines} empty="No changes yet." />
      {lines.length > 0 && <LinkLine href={all}>All changes in Activity</LinkLine>}
    </>
  );
}

function Changes({ texts }: { readonly texts: readonly ComponentChildren[] }) {
  return (
    <>
      {texts.map((text, index) => (
        <>
          {index > 0 && ' · '}
          {text}
        </>
      ))}
    </>
  );
}
