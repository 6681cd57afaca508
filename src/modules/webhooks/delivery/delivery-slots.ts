/** Calls at a time in a process; most of them wait for a slow receiver. */
const MAX_CALLS = 100;
/** Of them, those to endpoints that failed the last time. */
const MAX_FAILING = 50;
const MAX_OF_VENDOR = 3;

export interface Sending {
  readonly id: number;
  readonly vendor_id: number;
  /** In a row. */
  readonly failures: number;
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

  private hasRoomFor({ id, vendor_id, failures }: Sending): boolean {
    if (this.slots.has(id) || this.slots.size >= MAX_CALLS) return false;
    if (this.count((slot) => slot.vendor_id === vendor_id) >= MAX_OF_VENDOR) return false;
    return failures === 0 || this.count((slot) => slot.failures > 0) < MAX_FAILING;
  }

  private count(matches: (slot: Sending) => boolean): number {
    return [...this.slots.values()].filter(matches).length;
  }
}
