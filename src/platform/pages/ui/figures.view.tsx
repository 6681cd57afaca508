import type { ComponentChildren } from 'preact';

const [WIDTH, HEIGHT] = [100, 24];
/** Steps of a share for each unit of its width. */
const SHARE_STEPS = 10;
/** Fewer values show no course. */
const LEAST_VALUES = 3;
/** Every fifth bar has a label below it. */
const LABELLED = 5;

/** Shows figures side by side: a few big ones, or a strip of small ones. */
export function Figures({
  label,
  isBig = false,
  hasHero = false,
  children,
}: {
  readonly label: string;
  readonly isBig?: boolean;
  /** True if the first one of three big figures is bigger than the others. */
  readonly hasHero?: boolean;
  readonly children: ComponentChildren;
}) {
  const classes = ['figures', ...(isBig ? ['big'] : []), ...(hasHero ? ['hero'] : [])];
  return (
    <dl class={classes.join(' ')} aria-label={label}>
      {children}
    </dl>
  );
}

/**
 * Shows a figure with its name.
 * @param href address of what the figure counts
 * @param words longer explanation, which a pointer shows
 * @param change how it differs from the compared range
 * @param share its share of a whole, as a text with a bar
 */
export function Figure({
  name,
  href,
  words,
  note,
  change = null,
  course = [],
  share,
  children,
}: {
  readonly name: string;
  readonly href?: string | undefined;
  readonly words?: string | undefined;
  readonly note?: ComponentChildren;
  readonly change?: ComponentChildren;
  /** Values of its periods, drawn as a small line below it. */
  readonly course?: readonly bigint[];
  readonly share?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  return (
    <div class="figure" title={words}>
      <dt>{name}</dt>
      <dd>
        {href === undefined ? children : <a href={href}>{children}</a>}
        {note !== undefined && <span class="note">{note}</span>}
        {change !== null && <span class="note change">{change}</span>}
        <Sparkline values={course} />
        {share !== undefined && <span class="note whole">{share}</span>}
      </dd>
    </div>
  );
}

/** Draws the course of a figure. It needs no text, because a chart or a table has the values. */
function Sparkline({ values }: { readonly values: readonly bigint[] }) {
  if (values.length < LEAST_VALUES) return null;
  const line = pathOf(values.map(Number));
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path class="area" d={`${line}L${WIDTH} ${HEIGHT}L0 ${HEIGHT}Z`} />
      <path d={line} />
    </svg>
  );
}

function pathOf(values: readonly number[]): string {
  const [least, most] = [Math.min(0, ...values), Math.max(...values)];
  const height = most - least || 1;
  const points = values.map((value, at) => {
    const x = (at / (values.length - 1)) * WIDTH;
    const y = HEIGHT - ((value - least) / height) * HEIGHT;
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  });
  return `M${points.join('L')}`;
}

/** One bar of a chart: a link to what it counts. */
export interface Bar {
  /** Short name below the bar, such as `1 Dec`. */
  readonly label: string;
  readonly value: number;
  /** Says what the bar shows, for pointers and screen readers. */
  readonly title: string;
  /** Null if it counts nothing. */
  readonly href: string | null;
}

/**
 * Shows a chart of bars that needs no script. Each bar is a link.
 * @param textOf writes a whole number of the scale at the left
 */
export function Bars({
  label,
  bars,
  textOf,
}: {
  readonly label: string;
  readonly bars: readonly Bar[];
  readonly textOf: (value: number) => string;
}) {
  const end = roundAbove(Math.max(1, ...bars.map(({ value }) => value)));
  return (
    <div class="scaled">
      <div class="scale" aria-hidden="true">
        {[end, end / 2, 0].map((value) => (
          <span>{textOf(value)}</span>
        ))}
      </div>
      <ol class="bars" aria-label={label}>
        {bars.map((bar, at) => (
          <li>
            <BarLink {...bar}>
              <Column share={bar.value / end} />
              <span class="label">{at % LABELLED === 0 ? bar.label : ''}</span>
            </BarLink>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** Returns a number with one digit and zeros at which a scale ends. Its half is a whole number. */
function roundAbove(value: number): number {
  const unit = 10 ** (String(Math.ceil(value)).length - 1);
  const step = unit === 1 ? 2 : unit;
  return Math.ceil(value / step) * step;
}

function BarLink({
  title,
  href,
  children,
}: Pick<Bar, 'title' | 'href'> & { readonly children: ComponentChildren }) {
  if (href === null) {
    return (
      <span class="bar" title={title} role="img" aria-label={title}>
        {children}
      </span>
    );
  }
  return (
    <a class="bar" href={href} title={title} aria-label={title}>
      {children}
    </a>
  );
}

/** Draws one bar. @param share its height as a part of the highest bar */
function Column({ share }: { readonly share: number }) {
  const height = (share * 100).toFixed(1);
  return (
    <svg aria-hidden="true">
      <rect width="100%" y={`${(100 - Number(height)).toFixed(1)}%`} height={`${height}%`} />
    </svg>
  );
}

/** Draws a share as a bar beside its text, which says the same. */
export function Share({
  part,
  whole,
  children,
}: {
  readonly part: bigint;
  readonly whole: bigint;
  readonly children: ComponentChildren;
}) {
  const isDrawn = part > 0n && whole > 0n;
  const width = isDrawn ? Number((part * BigInt(WIDTH * SHARE_STEPS)) / whole) / SHARE_STEPS : 0;
  return (
    <span class="share">
      {children}
      <svg viewBox={`0 0 ${WIDTH} 1`} preserveAspectRatio="none" aria-hidden="true">
        <rect width={width} height="1" />
      </svg>
    </span>
  );
}
