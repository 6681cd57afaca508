import type { ComponentChildren } from 'preact';
import { LinkLine, Panel } from './facts.view.js';
import { Table, times, type Column } from './table.view.js';

/** A change that was made. */
export interface HistoryLine {
  /** Time of the change, in UTC. */
  readonly created: string;
  readonly who: string;
  readonly what: ComponentChildren;
  /** Changed fields in words. */
  readonly changes: readonly string[];
}

const COLUMNS: readonly Column<HistoryLine>[] = [
  times('When', ({ created }) => created, true),
  { name: 'Who', cell: ({ who }) => who },
  { name: 'What', cell: ({ what }) => what },
  { name: 'From → to', cell: ({ changes }) => <Lines texts={changes} /> },
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
export function History({ lines, all }: ShownHistory) {
  return (
    <Panel id="history-title" title="History">
      <HistoryTable label="History" lines={lines} empty="No changes yet." />
      {lines.length > 0 && <LinkLine href={all}>All changes in Activity</LinkLine>}
    </Panel>
  );
}

function Lines({ texts }: { readonly texts: readonly string[] }) {
  if (texts.length === 0) return <>–</>;
  return (
    <>
      {texts.map((text, index) => (
        <>
          {index > 0 && <br />}
          {text}
        </>
      ))}
    </>
  );
}
