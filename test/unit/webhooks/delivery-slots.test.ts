/** The choice of the endpoints that a process sends to at the same time. */
import { describe, expect, it } from '@jest/globals';
import {
  DeliverySlots,
  type Sending,
} from '../../../src/modules/webhooks/delivery/delivery-slots.js';

function taken(slots: DeliverySlots, sendings: readonly Sending[]): number {
  return sendings.filter((sending) => slots.take(sending)).length;
}

/** Returns endpoints, each of another vendor. */
function endpoints(count: number, failures: number, from = 1, max_bytes = 92_160): Sending[] {
  return Array.from({ length: count }, (_, index) => ({
    id: from + index,
    vendor_id: from + index,
    failures,
    max_bytes,
  }));
}

describe('the slots of a process', () => {
  it('are 100', () => {
    const slots = new DeliverySlots();
    expect(taken(slots, endpoints(200, 0))).toBe(100);
    slots.free(1);
    expect(slots.size).toBe(99);
    expect(taken(slots, endpoints(2, 0, 1_000))).toBe(1);
  });

  it('of endpoints that fail are half of them', () => {
    const slots = new DeliverySlots();
    expect(taken(slots, endpoints(200, 1))).toBe(50);
    expect(taken(slots, endpoints(200, 0, 1_000))).toBe(50);
  });

  it('of a vendor are 3', () => {
    const slots = new DeliverySlots();
    const own = endpoints(10, 0).map((endpoint) => ({ ...endpoint, vendor_id: 7 }));
    expect(taken(slots, own)).toBe(3);
    slots.free(1);
    expect(taken(slots, own)).toBe(1);
  });

  it('of larger bodies are 16, half of them failing, and 2 of a vendor', () => {
    const slots = new DeliverySlots();
    const own = endpoints(10, 0, 5_000, 92_161).map((endpoint) => ({ ...endpoint, vendor_id: 7 }));
    expect(taken(slots, own)).toBe(2);
    expect(taken(slots, endpoints(100, 1, 1, 1_048_576))).toBe(7 + 1);
    expect(taken(slots, endpoints(100, 0, 1_000, 1_048_576))).toBe(6);
    expect(taken(slots, endpoints(200, 0, 2_000))).toBe(100 - 16);
  });

  it('hold an endpoint once', () => {
    const slots = new DeliverySlots();
    expect(taken(slots, [...endpoints(1, 0), ...endpoints(1, 0)])).toBe(1);
    expect(slots.ids()).toEqual([1]);
  });
});
