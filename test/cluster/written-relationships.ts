/**
 * Records the writes of clients into relationships, one client each, and the valid results of a
 * read. A write that was not acknowledged may be stored or not. An instance may also still be
 * executing it, if the balancer failed and not the instance; then it may be stored after a later
 * write that another instance has acknowledged.
 */
import { PRODUCT } from './growing-ledger.js';

const FIRST_AFFILIATE = 1_000;
/** An instance finishes a write within this time, with or without its caller. */
const UNDER_WAY_MS = 10_000;

interface Unknown {
  readonly number: number;
  readonly sentAt: number;
}

export class WrittenRelationships {
  readonly acknowledged = new Set<number>();
  readonly unknown = new Set<number>();
  private latest = 0;
  /** For each client: the value of the last acknowledgement or read. */
  private readonly known = new Map<number, number>();
  /** For each client: the writes that may still be stored. */
  private readonly underWay = new Map<number, readonly Unknown[]>();

  path(client: number): string {
    return `/v2.1/affiliates/${FIRST_AFFILIATE + client}/products/${PRODUCT}`;
  }

  /** Returns a write that differs from all others. */
  next(): { readonly number: number; readonly body: object } {
    this.latest += 1;
    const number = this.latest;
    const custom_sales_page_url = `https://sales.example/${number}`;
    return { number, body: { approval_status: 'INSTANT', custom_sales_page_url } };
  }

  wrote(client: number, number: number, isAcknowledged: boolean): void {
    const unknown = this.underWay.get(client) ?? [];
    const sentAt = performance.now();
    if (isAcknowledged) {
      this.acknowledged.add(number);
      this.known.set(client, number);
      const late = unknown.filter((other) => sentAt - other.sentAt < UNDER_WAY_MS);
      this.underWay.set(client, late);
    } else {
      this.unknown.add(number);
      this.underWay.set(client, [...unknown, { number, sentAt }]);
    }
  }

  /** @returns the fault of a read of the client's own relationship, or null */
  faultOf(client: number, shown: Readonly<Record<string, unknown>>): string | null {
    const number = numberIn(String(shown.custom_sales_page_url));
    const known = this.known.get(client) ?? 0;
    const unknown = this.underWay.get(client) ?? [];
    const possible = [known, ...unknown.map((write) => write.number)];
    if (!possible.includes(number)) {
      return `client ${client} reads ${number} where ${possible.join(' or ')} may be`;
    }
    this.known.set(client, number);
    const others = unknown.filter((write) => write.number !== number);
    this.underWay.set(client, others);
    return null;
  }

  /**
   * @param states the written states in the audit log
   * @returns the faults
   */
  faultsOfAudit(states: readonly string[]): string[] {
    const times = new Map<number, number>();
    for (const state of states) {
      const number = numberIn(state);
      times.set(number, (times.get(number) ?? 0) + 1);
    }
    return [
      ...[...this.acknowledged].filter((number) => !times.has(number)).map((n) => `${n} is lost`),
      ...[...times].filter(([, count]) => count > 1).map(([n]) => `${n} was done twice`),
      ...[...times.keys()]
        .filter((number) => !this.acknowledged.has(number) && !this.unknown.has(number))
        .map((number) => `${number} was never sent`),
    ];
  }
}

/** Returns the number of a write, or 0 before the first write. */
function numberIn(text: string): number {
  return Number(/sales\.example\/(\d+)/.exec(text)?.[1] ?? 0);
}
