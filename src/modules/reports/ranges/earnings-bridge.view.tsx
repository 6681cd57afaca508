import type { ComponentChildren } from 'preact';
import { BRIDGE_STEPS, type BridgeStep, earningsBridge } from '../earnings-bridge.js';
import type { Figures, Report } from '../report.model.js';
import { amounts, type Column, Table } from '../../../platform/pages/ui/table.view.js';
import { changeColumns, type MoneyChange } from './what-changed.view.js';

/** A step, or the sum of all of them. */
export type BridgePart = BridgeStep | 'net';

const NAMES: Readonly<Record<BridgePart, string>> = {
  gross: 'Gross',
  refunds: 'Refunds',
  chargebacks: 'Chargebacks',
  fees: 'Fees',
  affiliates: 'Affiliates',
  agents: 'Agents',
  partners: 'Partners',
  other: 'Taxes and other',
  net: 'Net earnings',
};

interface Line {
  readonly part: BridgePart;
  readonly amount: bigint;
  readonly compared: MoneyChange | null;
}

/**
 * Shows the steps from the gross to the net earnings of a vendor, which add up to the cent, below
 * a text about their change.
 * @param to returns the address of what is behind a part
 */
export function EarningsBridge({
  report: { figures, figuresUntilToday, compared },
  to,
  children,
}: {
  readonly report: Pick<Report, 'figures' | 'figuresUntilToday' | 'compared'>;
  readonly to: (part: BridgePart) => string;
  readonly children: ComponentChildren;
}) {
  const [all, now, before] = [figures, figuresUntilToday, compared?.figures ?? null].map(amountsOf);
  const lineOf = (part: BridgePart): Line => {
    const [shown = 0n, then = 0n] = [all?.[part], before?.[part]];
    const change = (now?.[part] ?? 0n) - then;
    return { part, amount: shown, compared: before === null ? null : { before: then, change } };
  };
  const lines = BRIDGE_STEPS.map(lineOf).filter(
    ({ part, amount, compared: other }) =>
      part !== 'other' ||
      [amount, other?.before ?? 0n, other?.change ?? 0n].some((cents) => cents !== 0n),
  );
  const total = lineOf('net');
  const columns: Column<Line>[] = [
    { name: 'Step', cell: ({ part }) => <a href={to(part)}>{NAMES[part]}</a> },
    amounts('Amount', ({ amount }) => amount),
    // The figures say what the net earnings were before; there is no room for more on a screen.
    ...changeColumns([total]).map((column): Column<Line> => ({
      ...column,
      ...(column.name === 'Before' ? { only: 'paper' } : { narrow: 'fact' }),
    })),
  ];
  return (
    <section class="card" aria-labelledby="bridge-title">
      {children}
      <h2 id="bridge-title">From gross to net earnings</h2>
      <Table
        id="bridge"
        label="From gross to net earnings"
        columns={columns}
        rows={lines}
        total={total}
      />
    </section>
  );
}

function amountsOf(figures: Figures | null): Readonly<Record<BridgePart, bigint>> | null {
  return figures && { ...earningsBridge(figures), net: figures.earnings };
}
