import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { refundShares } from '../../../src/modules/demo/demo-sale.js';
import { holds } from '../../support/random/properties.js';

describe('a refund of the demo ledger', () => {
  // These are integers, because nearly all random floating-point numbers below 1 are close to 0.
  const percent = fc.nat({ max: 100 });
  const share = fc.integer({ min: 0, max: 100_000 });
  const shares = fc.record({
    seller_earnings: fc.integer({ min: 10, max: 100_000 }),
    affiliate_payout: share,
    agent_payout: share,
    jv_payout: share,
    service_fee: share,
  });

  it('takes back exactly the refunded amount, and a fair share from each party', async () => {
    await holds(
      fc.property(shares, percent, (paid, part) => {
        const amount = sumCents(paid);
        const returned = Math.floor((amount * part) / 100);
        const taken = refundShares(paid, returned);
        expect(sumCents(taken)).toBe(returned);
        for (const [name, cents] of Object.entries(taken)) {
          const proper = (paid[name as keyof typeof paid] * returned) / amount;
          expect(Math.abs(cents - proper)).toBeLessThan(5);
        }
        expect(refundShares(paid, amount)).toEqual(paid);
      }),
    );
  });
});

function sumCents(shares: object): number {
  return Object.values(shares).reduce<number>((sum, cents) => sum + Number(cents), 0);
}
