import { DELIVERY_BYTES } from '../webhook.model.js';

/** Bounds of calls at a time. */
interface Places {
  readonly all: number;
  /** Calls to endpoints that failed the last time. */
  readonly failing: number;
  readonly ofVendor: number;
}

/** Calls at a time in a process; most of them wait for a slow receiver. */
const PLACES: Places = { all: 100, failing: 50, ofVendor: 3 };
/** Calls among them whose bodies may be larger than the default: each body is in memory until its call ends. */
const LARGE_PLACES: Places = { all: 16, failing: 8, ofVendor: 2 };

export interface Sending {
  readonly id: number;
  readonly vendor_id: number;
  /** In a row. */
  readonly failures: number;
  readonly max_bytes: number;
}

/** Which endpoints this process sends to, so that slow receivers do not hold up the others. */
export class DeliverySlots {
  private readonly slots = new Map<number, Sending>();

  get size(): number {
    return this.slots.size;
  }

  ids(): number[] {
    return [...this.slots.keys()];
  }

  /** @returns false if an endpoint has to wait */
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
