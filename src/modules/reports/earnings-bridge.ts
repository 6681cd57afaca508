import type { Figures } from './report.model.js';

/**
 * Steps from the gross to the net earnings of a vendor. `other` is what no other step explains,
 * such as taxes that are part of the amount of a sale.
 */
export const BRIDGE_STEPS = [
  'gross',
  'refunds',
  'chargebacks',
  'fees',
  'affiliates',
  'agents',
  'partners',
  'other',
] as const;
export type BridgeStep = (typeof BRIDGE_STEPS)[number];

/** Amounts in cents by step. They add up to the net earnings. */
export type EarningsBridge = Readonly<Record<BridgeStep, bigint>>;

/** Returns the steps from the gross to the net earnings, to the cent. */
export function earningsBridge(figures: Figures): EarningsBridge {
  const { gross, fees, parties, earnings } = figures;
  const steps = {
    gross,
    refunds: -figures.refunds.amount,
    chargebacks: -figures.chargebacks.amount,
    fees: -fees,
    affiliates: -parties.affiliate,
    agents: -parties.agent,
    partners: -parties.jv,
  };
  const explained = Object.values(steps).reduce((sum, amount) => sum + amount, 0n);
  return { ...steps, other: earnings - explained };
}
