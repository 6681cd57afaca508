/**
 * What clients have written into relationships, one client each, and what a read may show of it. A
 * write that was not acknowledged may be there or not, and may yet come; but never after a later one.
 */
import { PRODUCT } from './growing-ledger.js';

const FIRST_AFFILIATE = 1_000;

export class WrittenRelationships {
  readonly acknowledged = new Set<number>();
  readonly unknown = new Set<number>();
  private latest = 0;
  /** For each client: what was acknowledged last, and what was sent since. */
  private readonly possible = new Map<number, readonly number[]>();

  path(client: number): string {
    return `/v2.1/affiliates/${FIRST_AFFILIATE + client}/products/${PRODUCT}`;
  }

  /** A write as no other. */
  next(): { readonly number: number; readonly body: object } {
    this.latest += 1;
    const number = this.latest;
    const custom_sales_page_url = `https://sales.example/${number}`;
    return { number, body: { approval_status: 'INSTANT', custom_sales_page_url } };
  }

  wrote(client: number, number: number, isAcknowledged: boolean): void {
    (isAcknowledged ? this.acknowledged : this.unknown).add(number);
    const before = isAcknowledged ? [] : (this.possible.get(client) ?? [0]);
    this.possible.set(client, [...before, number]);
  }

  /** @returns what is wrong with what the client's own relationship was read as, or null */
  faultOf(client: number, shown: Readonly<Record<string, unknown>>): string | null {
    const number = numberIn(String(shown.custom_sales_page_url));
    const possible = this.possible.get(client) ?? [0];
    if (!possible.includes(number)) {
      return `client ${client} reads ${number} where ${possible.join(' or ')} may be`;
    }
    this.possible.set(
      client,
      possible.filter((other) => other >= number),
    );
    return null;
  }

  /** @param states what the audit log tells that was written @returns what is wrong with it */
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

/** 0 where nothing was written yet. */
function numberIn(text: string): number {
  return Number(/sales\.example\/(\d+)/.exec(text)?.[1] ?? 0);
}
