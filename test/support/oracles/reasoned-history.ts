import { expect } from '@jest/globals';
import type { SeededRandom } from '../../../src/modules/demo/seeded-random.js';
import {
  product,
  recurringPayment,
  refund,
  transaction,
  user,
} from '../builders/ledger-records.js';
import type { TestService } from '../servers/service.js';

/** A reason for which a record has changed, noted by the writer itself. */
export interface NotedReason {
  readonly thing: string;
  readonly reason: string;
  readonly product: number;
}

type State = Record<string, unknown>;

const SALES = 6;
const PAYMENTS = 3;

/**
 * A vendor with two products, some sales and subscriptions, which change at random. It notes the
 * reasons of each change by what it does, and does not compare states.
 */
export class ReasonedHistory {
  /** All reasons so far, oldest first. */
  readonly noted: NotedReason[] = [];
  private readonly sales = new Map<number, State>();
  private readonly payments = new Map<number, State>();
  private amount = 100;

  constructor(
    private readonly service: TestService,
    private readonly vendor: number,
    private readonly key: string,
    private readonly random: SeededRandom,
  ) {}

  static async begin(service: TestService, vendor: number, random: SeededRandom) {
    const products = [0, 1].map((place) => product(vendor * 10 + place, vendor));
    await service.import([user(vendor), ...products]);
    return new ReasonedHistory(service, vendor, await service.key(vendor), random);
  }

  /** Makes one change of a random record. */
  async step(): Promise<void> {
    if (this.random.integer(0, 2) > 0) await this.changeSale(this.random.integer(0, SALES - 1));
    else await this.changePayment(this.random.integer(0, PAYMENTS - 1));
  }

  private async changeSale(which: number): Promise<void> {
    const id = `S-${this.vendor}-${which}`;
    const state = this.sales.get(which);
    const [next, reasons] = state === undefined ? this.newSale() : this.nextSale(state);
    this.sales.set(which, next);
    await this.service.import([transaction(id, this.productOf(which), next)]);
    this.note(id, which, reasons);
  }

  private newSale(): [State, string[]] {
    const arrivals: [State, string[]][] = [
      [{ status: 'completed' }, ['sold']],
      [{ status: 'pending' }, ['sold']],
      [{ status: 'refunded', refund: refundOf(10) }, ['sold', 'refunded']],
      [{ status: 'charged_back', refund: refundOf(10) }, ['sold', 'charged_back']],
    ];
    return this.random.oneOf(arrivals);
  }

  private nextSale(state: State): [State, string[]] {
    this.amount += 1;
    const changes: [State, string[]][] = [[{ amount: `${this.amount}.00` }, ['corrected']]];
    const status = state.affiliate_commission_status === 'PAID' ? 'UNPAID' : 'PAID';
    changes.push([{ affiliate_commission_status: status }, ['commission_changed']]);
    if (state.status === 'pending') changes.push([{ status: 'completed' }, ['settled']]);
    if (state.refund === undefined && state.status === 'completed') {
      changes.push([{ refund: refundOf(this.amount) }, ['refunded']]);
    }
    if (state.refund === undefined) {
      changes.push([{ status: 'refunded', refund: refundOf(10) }, ['refunded']]);
      changes.push([{ status: 'charged_back', refund: refundOf(10) }, ['charged_back']]);
    } else {
      changes.push([{ status: 'completed', refund: undefined }, ['refund_changed']]);
      changes.push([{ refund: refundOf(this.amount) }, ['refund_changed']]);
    }
    const [change, reasons] = this.random.oneOf(changes);
    return [{ ...state, ...change }, reasons];
  }

  private async changePayment(which: number): Promise<void> {
    const id = `P-${this.vendor}-${which}`;
    const state = this.payments.get(which);
    if (state?.status === 'ACTIVE' && this.random.integer(0, 3) === 0) {
      const answer = await this.service.put(`/v2.0/recurring_payment/${id}`, this.key, {
        status: 'CANCEL',
      });
      expect(answer.status).toBe(200);
      // A record with the status that the last one had would not undo the cancellation.
      this.payments.set(which, { ...state, status: 'CANCELED' });
      this.note(id, which, ['canceled']);
      return;
    }
    const [next, reasons] = state === undefined ? newPayment(which) : this.nextPayment(state);
    this.payments.set(which, next);
    await this.service.import([recurringPayment(id, this.productOf(which), next)]);
    this.note(id, which, reasons);
  }

  private nextPayment(state: State): [State, string[]] {
    this.amount += 1;
    const paid = { current_payments: Number(state.current_payments) + 1 };
    const changes: [State, string[]][] = [
      [{ price: `${this.amount}.00` }, ['changed']],
      [paid, ['paid']],
    ];
    if (state.status === 'ACTIVE') {
      changes.push([{ status: 'COMPLETED' }, ['ended']]);
      changes.push([{ status: 'COMPLETED', ...paid }, ['paid', 'ended']]);
    }
    const [change, reasons] = this.random.oneOf(changes);
    return [{ ...state, ...change }, reasons];
  }

  private productOf(which: number): number {
    return this.vendor * 10 + (which % 2);
  }

  private note(thing: string, which: number, reasons: readonly string[]): void {
    const of = { thing, product: this.productOf(which) };
    for (const reason of reasons) this.noted.push({ ...of, reason });
  }
}

function newPayment(which: number): [State, string[]] {
  return [{ id: which + 1, status: 'ACTIVE', current_payments: 1 }, ['started']];
}

/** Returns a refund of some cents. */
function refundOf(cents: number): object {
  return refund('2025-06-02T12:00:00Z', { refund_amount: (cents / 100).toFixed(2) });
}

/** Returns the reasons of items of the feed, each as text with the record. */
export function reasonsIn(items: readonly Readonly<Record<string, unknown>>[]): string[] {
  return items.flatMap(({ kind, reasons, ...rest }) => {
    if (reasons === undefined) return [];
    const { transaction_id, preKey } = rest[String(kind)] as Readonly<Record<string, unknown>>;
    return (reasons as string[]).map((reason) => `${String(transaction_id ?? preKey)} ${reason}`);
  });
}

export function textOf({ thing, reason }: NotedReason): string {
  return `${thing} ${reason}`;
}
