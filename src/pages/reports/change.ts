import { formatDecimal, quotient } from '../../common/money.js';
import { numberText } from './figures.view.js';

/** Unit of a change: points for a rate, percent for all other figures. */
export type ChangeUnit = 'percent' | 'points';

/**
 * Describes how a figure changed, such as `+12.5 %` or `-0.25 points`; empty if a percentage has no
 * meaning.
 * @param now the figure; a rate in hundredths of a percent
 */
export function changeText(now: bigint, before: bigint, unit: ChangeUnit): string {
  if (now === before) return 'unchanged';
  if (unit === 'points') return `${signed(now - before, 2)} points`;
  if (before === 0n) return '';
  return `${signed(quotient((now - before) * 1_000n, before < 0n ? -before : before), 1)} %`;
}

function signed(value: bigint, places: number): string {
  const [whole = '', fraction = ''] = formatDecimal(value, places).split('.');
  const sign = value < 0n ? '-' : '+';
  return `${sign}${numberText(whole.replace('-', ''))}.${fraction}`;
}
