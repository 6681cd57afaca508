import { formatCents } from '../../../../src/common/money.js';
import type { MonthlyPayout } from '../../payout.model.js';

export function presentPayout({ month, seller_earnings, goal }: MonthlyPayout) {
  return {
    month,
    seller_earnings: formatCents(seller_earnings),
    goal: goal === null ? null : formatCents(goal),
  };
}
