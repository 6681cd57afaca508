import type { VNode } from 'preact';
import type { Figures, Period } from '../report.model.js';
import type { ReportKind } from '../lists/report-list.model.js';
import { formatDecimal, quotient, rateOf } from '../../../platform/values/money.js';
import { todayInUtc } from '../../../platform/values/time.js';
import {
  countText,
  MINUS,
  Money,
  numberText,
  percentText,
} from '../../../platform/pages/ui/values.view.js';
import { Figure, Figures as FigureList, Share } from '../../../platform/pages/ui/figures.view.js';
import type { Role } from './report-query.js';

/** Returns the address of the transactions behind a figure. */
export type Behind = (kind: ReportKind, more?: Readonly<Record<string, string>>) => string;

interface ShownFigure {
  readonly name: string;
  readonly kind?: ReportKind | undefined;
  /** Says in a few words what the figure is, or how many transactions it adds up. */
  readonly caption?: (figures: Figures) => string;
  /** A longer explanation, which a pointer shows. */
  readonly words?: string;
  readonly value: (figures: Figures) => bigint;
  /** Format of the value: a number of transactions, money or a rate. */
  readonly as: 'count' | 'money' | 'rate';
  /**
   * Direction that is an improvement; undefined if neither is, such as for pending transactions.
   */
  readonly better?: 'more' | 'less' | undefined;
}

/** Main figures of a viewer, which are shown big, with their course. */
const MAIN: Readonly<Record<Role, readonly ShownFigure[]>> = {
  vendor: [
    {
      ...moneyOf('Net earnings', 'earnings', 'after refunds, fees and commissions'),
      words: 'What you keep, after refunds, chargebacks, fees and commissions',
    },
    ...grossAndRefunds('before refunds and fees'),
  ],
  affiliate: [
    {
      ...moneyOf('My commissions', 'commissions', 'after refunds'),
      words: 'After refunds and chargebacks',
    },
    ...grossAndRefunds('before refunds'),
  ],
};
const OTHERS: readonly ShownFigure[] = [
  {
    name: 'Sales',
    kind: 'sales',
    as: 'count',
    better: 'more',
    value: ({ sales }) => BigInt(sales),
    words: 'Including those refunded later',
  },
  {
    name: 'Refund rate',
    as: 'rate',
    better: 'less',
    value: ({ refund_rate }) => refund_rate,
    words: 'Refunds per sale',
  },
  {
    name: 'Average order',
    as: 'money',
    better: 'more',
    value: ({ average_order }) => average_order,
    words: 'Gross per sale',
  },
  returnsOf('Chargebacks', 'chargebacks', 'chargeback', 'less'),
  { ...returnsOf('Pending', 'pending', 'sale'), words: 'Not paid yet, and in no other figure' },
];

type Better = ShownFigure['better'];

function grossAndRefunds(caption: string): ShownFigure[] {
  return [
    { ...moneyOf('Gross', 'gross', caption), kind: 'sales' },
    returnsOf('Refunds', 'refunds', 'refund', 'less'),
  ];
}

/** Returns a figure in cents, with a link to all transactions. */
function moneyOf(
  name: string,
  field: 'gross' | 'earnings' | 'commissions',
  caption: string,
): ShownFigure {
  const value = (figures: Figures) => figures[field];
  return { name, kind: 'all', as: 'money', better: 'more', value, caption: () => caption };
}

/**
 * Returns the amount of some transactions, with their number below it.
 * @param noun what is counted, such as `refund`
 */
function returnsOf(
  name: string,
  kind: 'refunds' | 'chargebacks' | 'pending',
  noun: string,
  better?: Better,
): ShownFigure {
  return {
    name,
    kind,
    as: 'money',
    better,
    value: (figures) => figures[kind].amount,
    caption: (figures) => countText(figures[kind].transactions, noun),
  };
}

/** Figures of the days before today, and of the compared range. */
export interface ComparedFigures {
  readonly now: Figures;
  readonly before: Figures;
}

interface FiguresProperties {
  readonly figures: Figures;
  /** Null if nothing is compared. */
  readonly compared: ComparedFigures | null;
  readonly role: Role;
  readonly behind: Behind;
}

/**
 * Shows what a viewer earned, and its parts with their course.
 * @param periods periods of the report; a period that is not over would look like a fall
 * @param hasChart true if a chart below shows the course of the first figure, which has its share
 * of the gross in place of it
 */
export function MainFigures({
  periods,
  hasChart,
  ...shownFigures
}: FiguresProperties & { readonly periods: readonly Period[]; readonly hasChart: boolean }) {
  const { figures, compared, role, behind } = shownFigures;
  const today = todayInUtc();
  const over = periods.filter(({ end_date }) => end_date < today);
  return (
    <FigureList label="Main figures of the period" isBig hasHero>
      {MAIN[role].map((figure, index) => (
        <Figure
          name={figure.name}
          href={figure.kind && behind(figure.kind)}
          words={figure.words}
          note={figure.caption?.(figures)}
          change={changeOf(figure, compared)}
          {...(hasChart && index === 0
            ? { share: shareOfGross(figure, figures) }
            : { course: over.map(({ figures: of }) => figure.value(of)) })}
        >
          {valueText(figure.as, figure.value(figures))}
        </Figure>
      ))}
    </FigureList>
  );
}

/** Returns the share of a figure of the gross; undefined without a gross. */
function shareOfGross({ value }: ShownFigure, figures: Figures): VNode | undefined {
  if (figures.gross <= 0n) return undefined;
  const part = value(figures);
  return (
    <Share part={part} whole={figures.gross}>
      {percentText(rateOf(part, figures.gross))} of gross
    </Share>
  );
}

/** Shows the figures that neither the main ones nor the steps to the net earnings have. */
export function OtherFigures({
  isPartial,
  unpaid,
  unpaidAddress,
  ...shownFigures
}: FiguresProperties & {
  /** True if figures that need all sums of a sale are left out. */
  readonly isPartial: boolean;
  /** Unpaid commissions today; null if they are not shown. */
  readonly unpaid: bigint | null;
  readonly unpaidAddress: string;
}) {
  const { figures, compared, role, behind } = shownFigures;
  // The kept sums by tracking value have no pending transactions.
  const others = OTHERS.filter(({ name }) => !isPartial || name !== 'Pending');
  return (
    <FigureList label="Other figures of the period">
      {others.map((figure) => (
        <Figure
          name={figure.name}
          href={figure.kind && behind(figure.kind)}
          words={figure.words}
          note={figure.caption?.(figures)}
          change={changeOf(figure, compared)}
        >
          {valueText(figure.as, figure.value(figures))}
        </Figure>
      ))}
      {unpaid !== null && (
        <Figure
          name="Unpaid commissions"
          href={unpaidAddress}
          words={role === 'vendor' ? 'Owed to affiliates today' : 'Owed to me today'}
          note="as of today"
        >
          <Money cents={unpaid} />
        </Figure>
      )}
    </FigureList>
  );
}

function valueText(as: ShownFigure['as'], value: bigint): VNode {
  if (as === 'money') return <Money cents={value} />;
  return <>{as === 'rate' ? percentText(value) : numberText(value)}</>;
}

/**
 * Returns a change, such as `+12.5% (was 1,234.00)`; null if nothing is compared, or if both values
 * are zero.
 */
export function changeOf(
  figure: Pick<ShownFigure, 'value' | 'as' | 'better'>,
  compared: ComparedFigures | null,
): VNode | null {
  if (compared === null) return null;
  const [now, before] = [figure.value(compared.now), figure.value(compared.before)];
  if (now === 0n && before === 0n) return null;
  const text = changeText(now, before, figure.as === 'rate' ? 'points' : 'percent');
  return (
    <>
      <span class={toneOf(figure, now, before)}>
        {text}
        {text === '' && (
          <>
            {now > 0n && '+'}
            {valueText(figure.as, now)}
          </>
        )}
      </span>{' '}
      <span class="was">(was {valueText(figure.as, before)})</span>
    </>
  );
}

function toneOf({ better }: Pick<ShownFigure, 'better'>, now: bigint, before: bigint): string {
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
