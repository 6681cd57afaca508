import type { ComponentChildren, VNode } from 'preact';
import type { Figures, Period } from '../report.model.js';
import type { ListFigure } from '../../../ledger/sums/list-figures.js';
import type { ReportKind } from '../lists/report-list.model.js';
import { formatDecimal, quotient } from '../../../platform/values/money.js';
import { MINUS, Money, numberText, percentText } from '../../../platform/pages/ui/values.view.js';
import { Figure, Figures as FigureList } from '../../../platform/pages/ui/figures.view.js';
import type { Role } from './report-query.js';

/** Returns the address of the transactions behind a figure. */
export type Behind = (kind: ReportKind, more?: Readonly<Record<string, string>>) => string;

interface ShownFigure {
  readonly name: string;
  readonly kind?: ReportKind | undefined;
  /** Figure that the list behind it adds up to, if it is not that of its kind. */
  readonly adds?: ListFigure;
  readonly note: (figures: Figures) => ComponentChildren;
  readonly value: (figures: Figures) => bigint;
  /** Format of the value: a number of transactions, money or a rate. */
  readonly as: 'count' | 'money' | 'rate';
  /**
   * Direction that is an improvement; undefined if neither is, such as for fees, which rise with
   * the sales.
   */
  readonly better?: 'more' | 'less' | undefined;
}

const AFTER_RETURNS = 'after refunds and chargebacks';

/** Figures of a viewer: those that are shown big, with their course, and the others. */
interface Shown {
  readonly big: readonly ShownFigure[];
  readonly small: readonly ShownFigure[];
}

const SALES: ShownFigure = {
  ...countOf('Sales', 'sales', 'more', ({ sales }) => sales),
  note: () => 'including those refunded later',
};
const GROSS: ShownFigure = {
  ...moneyOf('Gross', 'gross', 'before refunds and fees', 'more'),
  kind: 'sales',
};
const REFUNDS = returnsOf('Refunds', 'refunds', 'less');
const OTHERS: readonly ShownFigure[] = [
  returnsOf('Chargebacks', 'chargebacks', 'less'),
  {
    name: 'Refund rate',
    as: 'rate',
    better: 'less',
    value: ({ refund_rate }) => refund_rate,
    note: () => 'refunds per sale',
  },
  { ...moneyOf('Average order', 'average_order', 'gross per sale', 'more'), kind: undefined },
  returnsOf('Pending', 'pending'),
];
const FIGURES: Readonly<Record<Role, Shown>> = {
  vendor: {
    big: [moneyOf('Net earnings', 'earnings', AFTER_RETURNS, 'more'), GROSS, REFUNDS],
    small: [
      SALES,
      { ...moneyOf('Fees', 'fees', AFTER_RETURNS), adds: 'service_fees' },
      {
        ...moneyOf('Commissions', 'commissions', 'affiliates, agents and partners, after refunds'),
        adds: 'commissions',
      },
      ...OTHERS,
    ],
  },
  affiliate: {
    big: [moneyOf('My commissions', 'commissions', AFTER_RETURNS, 'more'), GROSS, REFUNDS],
    small: [SALES, ...OTHERS],
  },
};

type Better = ShownFigure['better'];

function countOf(
  name: string,
  kind: ReportKind,
  better: Better,
  of: (figures: Figures) => number,
): Omit<ShownFigure, 'note'> {
  return { name, kind, as: 'count', better, value: (figures) => BigInt(of(figures)) };
}

/** Returns a figure in cents, with a link to all transactions. */
function moneyOf(
  name: string,
  field: 'gross' | 'earnings' | 'fees' | 'commissions' | 'average_order',
  note: string,
  better?: Better,
): ShownFigure {
  return { name, kind: 'all', as: 'money', better, value: (all) => all[field], note: () => note };
}

/** Returns a number of transactions with their amount. */
function returnsOf(
  name: string,
  kind: 'refunds' | 'chargebacks' | 'pending',
  better?: Better,
): ShownFigure {
  return {
    ...countOf(name, kind, better, (figures) => figures[kind].transactions),
    note: (figures) => <Money cents={figures[kind].amount} />,
  };
}

interface KeyFiguresProperties {
  readonly figures: Figures;
  /** Periods of the report, for the course of the big figures. */
  readonly periods: readonly Period[];
  /** Figures of the days before today and of the compared range; null if nothing is compared. */
  readonly compared: {
    readonly now: Figures;
    readonly before: Figures;
    /** Days of the compared range, such as `1–30 Sep`. */
    readonly days: string;
  } | null;
  readonly role: Role;
  readonly behind: Behind;
  /** True if figures that need all sums of a sale are left out. */
  readonly isPartial: boolean;
  /** Unpaid commissions today; null if they are not shown. */
  readonly unpaid: bigint | null;
  readonly unpaidAddress: string;
}

/** Figures that the kept sums by tracking value do not have. */
const IN_FULL: ReadonlySet<string> = new Set(['Fees', 'Commissions', 'Pending']);

export function KeyFigures(shownFigures: KeyFiguresProperties) {
  const { figures, periods, compared, role, behind, isPartial, unpaid } = shownFigures;
  const { big, small: all } = FIGURES[role];
  const small = all.filter(({ name }) => !isPartial || !IN_FULL.has(name));
  const propertiesOf = (figure: ShownFigure) => ({
    name: figure.name,
    href: figure.kind && behind(figure.kind, figure.adds && { figure: figure.adds }),
    note: figure.note(figures),
    change: compared && changeOf(figure, compared.now, compared.before),
  });
  return (
    <>
      <FigureList label="Main figures of the period" isBig>
        {big.map((figure) => (
          <Figure
            {...propertiesOf(figure)}
            change={compared && changeOf(figure, compared.now, compared.before, compared.days)}
            course={periods.map((period) => figure.value(period.figures))}
          >
            {shown(figure, figures)}
          </Figure>
        ))}
      </FigureList>
      <FigureList label="Other figures of the period">
        {small.map((figure) => (
          <Figure {...propertiesOf(figure)}>{shown(figure, figures)}</Figure>
        ))}
        {unpaid !== null && (
          <Figure
            name="Unpaid commissions"
            href={shownFigures.unpaidAddress}
            note={role === 'vendor' ? 'owed to affiliates today' : 'owed to me today'}
          >
            <Money cents={unpaid} />
          </Figure>
        )}
      </FigureList>
    </>
  );
}

function shown({ as, value }: ShownFigure, figures: Figures): VNode {
  if (as === 'money') return <Money cents={value(figures)} />;
  return <>{as === 'rate' ? percentText(value(figures)) : numberText(value(figures))}</>;
}

/**
 * Shows a change, such as `+12.5% vs 1–30 Sep (was 1,234.00)`.
 * @param days days of the compared range; left out if they are not given
 */
function changeOf(figure: ShownFigure, figures: Figures, compared: Figures, days?: string): VNode {
  const [now, before] = [figure.value(figures), figure.value(compared)];
  const text = changeText(now, before, figure.as === 'rate' ? 'points' : 'percent');
  return (
    <>
      {text !== '' && <span class={toneOf(figure, now, before)}>{text}</span>}
      {days !== undefined && ` vs ${days}`} (was {shown(figure, compared)})
    </>
  );
}

function toneOf({ better }: ShownFigure, now: bigint, before: bigint): string {
  if (better === undefined || now === before) return 'same';
  return now > before === (better === 'more') ? 'better' : 'worse';
}

/**
 * Describes how a figure changed, such as `+12.5%` or `−0.3 pp`; empty if a percentage has no
 * meaning.
 * @param now the figure; a rate in hundredths of a percent
 * @param unit points for a rate, percent for all other figures
 */
export function changeText(now: bigint, before: bigint, unit: 'percent' | 'points'): string {
  if (now === before) return 'unchanged';
  if (unit === 'points') return `${signed(quotient(now - before, 10n), 1)} pp`;
  if (before === 0n) return '';
  return `${signed(quotient((now - before) * 1_000n, before < 0n ? -before : before), 1)}%`;
}

function signed(value: bigint, places: number): string {
  const [whole = '', fraction = ''] = formatDecimal(value, places).split('.');
  const sign = value < 0n ? MINUS : '+';
  return `${sign}${numberText(whole.replace('-', ''))}.${fraction}`;
}
