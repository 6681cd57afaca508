/** The choice of the endpoints that a process sends to at the same time. */
import { describe, expect, it } from '@jest/globals';
import { DELIVERY_LIMITS } from '../../../src/modules/webhooks/delivery/deliveries.job.js';
import type { DueEndpoint } from '../../../src/modules/webhooks/webhooks.repository.js';
import { hasSlot } from '../../../src/platform/jobs/job-queue.js';

/** The endpoints that a process sends to. */
class Slots {
  private sending: readonly DueEndpoint[] = [];

  get size(): number {
    return this.sending.length;
  }

  take(endpoint: DueEndpoint): boolean {
    const isTaken = hasSlot(this.sending, endpoint, DELIVERY_LIMITS);
    if (isTaken) this.sending = [...this.sending, endpoint];
    return isTaken;
  }

  free(freed: number): void {
    this.sending = this.sending.filter(({ id }) => id !== freed);
  }
}

function taken(slots: Slots, endpoints: readonly DueEndpoint[]): number {
  return endpoints.filter((endpoint) => slots.take(endpoint)).length;
}

/** Returns endpoints, each of another vendor. */
function endpoints(count: number, failures: number, from = 1, max_bytes = 92_160): DueEndpoint[] {
  return Array.from({ length: count }, (_, index) => ({
    id: from + index,
    vendor_id: from + index,
    failures,
    max_bytes,
  }));
}

describe('the slots of a process', () => {
  it('are 100', () => {
    const slots = new Slots();
    expect(taken(slots, endpoints(200, 0))).toBe(100);
    slots.free(1);
    expect(slots.size).toBe(99);
    expect(taken(slots, endpoints(2, 0, 1_000))).toBe(1);
  });

  it('of endpoints that fail are half of them', () => {
    const slots = new Slots();
    expect(taken(slots, endpoints(200, 1))).toBe(50);
    expect(taken(slots, endpoints(200, 0, 1_000))).toBe(50);
  });

  it('of a vendor are 3', () => {
    const slots = new Slots();
    const own = endpoints(10, 0).map((endpoint) => ({ ...endpoint, vendor_id: 7 }));
    expect(taken(slots, own)).toBe(3);
    slots.free(1);
    expect(taken(slots, own)).toBe(1);
  });

  it('of larger bodies are 16, half of them failing, and 2 of a vendor', () => {
    const slots = new Slots();
    const own = endpoints(10, 0, 5_000, 92_161).map((endpoint) => ({ ...endpoint, vendor_id: 7 }));
    expect(taken(slots, own)).toBe(2);
    expect(taken(slots, endpoints(100, 1, 1, 1_048_576))).toBe(7 + 1);
    expect(taken(slots, endpoints(100, 0, 1_000, 1_048_576))).toBe(6);
    expect(taken(slots, endpoints(200, 0, 2_000))).toBe(100 - 16);
  });
});
