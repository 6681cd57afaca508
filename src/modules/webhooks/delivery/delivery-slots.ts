import { DELIVERY_BYTES } from '../webhook.model.js';

/** Holds limits of simultaneous calls. */
interface Places {
  readonly all: number;
  /** Maximum number of calls to endpoints whose last delivery failed. */
  readonly failing: number;
  readonly ofVendor: number;
}

/** Limits the calls of a process; most of them wait for a slow receiver. */
const PLACES: Places = { all: 100, failing: 50, ofVendor: 3 };
/**
 * Limits the calls whose bodies may be larger than the default, because each body stays in memory
 * until its call ends.
 */
const LARGE_PLACES: Places = { all: 16, failing: 8, ofVendor: 2 };

export interface Sending {
  readonly id: number;
  readonly vendor_id: number;
  /** Number of consecutive failures. */
  readonly failures: number;
  readonly max_bytes: number;
}

/**
 * Decides which endpoints this process sends to, so that slow receivers do not delay the others.
 */
export class DeliverySlots {
  private readonly slots = new Map<number, Sending>();

  get size(): number {
    return this.slots.size;
  }

  ids(): number[] {
    return [...this.slots.keys()];
  }

  /** @returns false if the endpoint has to wait */
  take(sending: Sending): boolean {
    if (!this.hasRoomFor(sending)) return false;
    this.slots.set(sending.id, sending);
    return true;
  }

  free(id: number): void {
    this.slots.delete(id);
  }

  private hasRoomFor(sending: Sending): boolean {
    if (this.slots.has(sending.id)) return false;
    const slots = [...this.slots.values()];
    if (!hasPlace(slots, sending, PLACES)) return false;
    return !isLarge(sending) || hasPlace(slots.filter(isLarge), sending, LARGE_PLACES);
  }
}

function isLarge({ max_bytes }: Sending): boolean {
  return max_bytes > DELIVERY_BYTES.default;
}

function hasPlace(slots: readonly Sending[], { vendor_id, failures }: Sending, places: Places) {
  if (slots.length >= places.all) return false;
  if (slots.filter((slot) => slot.vendor_id === vendor_id).length >= places.ofVendor) return false;
  return failures === 0 || slots.filter((slot) => slot.failures > 0).length < places.failing;
}
