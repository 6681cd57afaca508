import type { SeededRandom } from '../../../src/modules/demo/seeded-random.js';
import {
  affiliation,
  payoutItem,
  product,
  recurringPayment,
  refund,
  transaction,
  user,
} from '../builders/ledger-records.js';

/** Writes to the ledger of a vendor. */
export interface HistoryWriter {
  import(records: readonly object[]): Promise<unknown>;
  cancel(pre_key: string): Promise<unknown>;
  /** Returns the sequence of the vendor's last change. */
  lastSequence(): Promise<number>;
}

/** A reason for which a record has changed, noted by the writer itself. */
export interface NotedReason {
  readonly thing: string;
  readonly kind: string;
  readonly product: number;
  readonly reason: string;
  /** The sequence of the change is after `from`, and at most `to`. */
  readonly from: number;
  readonly to: number;
}

type State = Readonly<Record<string, unknown>>;
/** A new state of a record with the reasons of the change. */
type Next = readonly [State, readonly string[]];

/** A change that is to be written. */
interface Change extends Pick<NotedReason, 'thing' | 'kind' | 'product'> {
  readonly record: object;
  readonly reasons: readonly string[];
}

const SALES = 6;
const PAYMENTS = 3;
const MOST_AT_ONCE = 3;

/**
 * A vendor with two products, some sales, subscriptions and affiliate terms, which change at random.
 * It notes the reasons of each change by what it does, and does not compare states.
 */
export class ReasonedHistory {
  /** All reasons so far, oldest first. */
  readonly noted: NotedReason[] = [];
  private readonly states = new Map<string, State>();
  private amount = 100;

  constructor(
    private readonly writer: HistoryWriter,
    private readonly vendor: number,
    private readonly random: SeededRandom,
  ) {}

  static async begin(writer: HistoryWriter, vendor: number, random: SeededRandom) {
    const products = [0, 1].map((place) => product(vendor * 10 + place, vendor));
    await writer.import([user(vendor), user(vendor * 100), ...products]);
    return new ReasonedHistory(writer, vendor, random);
  }

  /** Changes up to three random records together. */
  async step(): Promise<void> {
    const from = await this.writer.lastSequence();
    const active = [0, 1, 2].find((which) => this.isActive(which));
    const changes =
      active !== undefined && this.random.chance(0.1)
        ? [await this.cancel(active)]
        : await this.import();
    const to = await this.writer.lastSequence();
    for (const { thing, kind, product: of, reasons } of changes) {
      for (const reason of reasons) {
        this.noted.push({ thing, kind, product: of, reason, from, to });
      }
    }
  }

  /** Returns the reasons since a sequence. */
  since(sequence: number): NotedReason[] {
    return this.noted.filter(({ from }) => from >= sequence);
  }

  private async import(): Promise<Change[]> {
    const count = this.random.chance(0.7) ? 1 : this.random.integer(1, MOST_AT_ONCE);
    const changes = new Map<string, Change>();
    while (changes.size < count) {
      const which = this.random.integer(0, SALES + PAYMENTS);
      const place = which < SALES ? which : which - SALES;
      const name = which < SALES ? 'sale' : which < SALES + PAYMENTS ? 'payment' : 'terms';
      if (changes.has(`${name} ${place}`)) continue;
      if (name === 'sale') changes.set(`${name} ${place}`, this.changeOfSale(place));
      else if (name === 'payment') changes.set(`${name} ${place}`, this.changeOfPayment(place));
      else changes.set(`${name} ${place}`, this.changeOfTerms());
    }
    await this.writer.import([...changes.values()].map(({ record }) => record));
    return [...changes.values()];
  }

  private changeOfSale(which: number): Change {
    const thing = `S-${this.vendor}-${which}`;
    const state = this.states.get(thing);
    const [next, reasons] = state === undefined ? this.newSale() : this.nextSale(state);
    this.states.set(thing, next);
    const of = { thing, kind: 'transaction', product: this.productOf(which), reasons };
    return { ...of, record: transaction(thing, of.product, next) };
  }

  private newSale(): Next {
    return this.random.oneOf<Next>([
      [{ status: 'completed' }, ['sold']],
      [{ status: 'pending' }, ['sold']],
      [{ status: 'completed', refund: refundOf(10) }, ['sold', 'refunded']],
      [{ status: 'refunded', refund: refundOf(10) }, ['sold', 'refunded']],
      [{ status: 'charged_back', refund: refundOf(10) }, ['sold', 'charged_back']],
    ]);
  }

  private nextSale(state: State): Next {
    this.amount += 1;
    const { amount } = this;
    const paid = state.affiliate_commission_status === 'PAID' ? 'UNPAID' : 'PAID';
    const item = payoutItem(this.vendor, { payee_amount: `${amount}.00` });
    const changes: Next[] = [
      [{ amount: `${amount}.00` }, ['corrected']],
      [{ affiliate_commission_status: paid }, ['commission_changed']],
      [{ payout_items: [item] }, ['commission_changed']],
      [
        { amount: `${amount}.00`, affiliate_commission_status: paid },
        ['corrected', 'commission_changed'],
      ],
    ];
    if (state.status === 'pending') {
      changes.push([{ status: 'completed' }, ['settled']]);
      changes.push([{ status: 'completed', amount: `${amount}.00` }, ['settled', 'corrected']]);
    }
    if (state.refund === undefined && state.status === 'completed') {
      changes.push([{ refund: refundOf(amount) }, ['refunded']]);
    }
    if (state.refund === undefined) {
      changes.push([{ status: 'refunded', refund: refundOf(10) }, ['refunded']]);
      changes.push([{ status: 'charged_back', refund: refundOf(10) }, ['charged_back']]);
    } else {
      changes.push([{ status: 'completed', refund: undefined }, ['refund_changed']]);
      changes.push([{ refund: refundOf(amount) }, ['refund_changed']]);
    }
    if (state.refund !== undefined && state.status !== 'charged_back') {
      changes.push([{ status: 'charged_back' }, ['charged_back']]);
    }
    const [change, reasons] = this.random.oneOf(changes);
    return [{ ...state, ...change }, reasons];
  }

  private changeOfPayment(which: number): Change {
    const thing = this.payment(which);
    const state = this.states.get(thing);
    const [next, reasons] = state === undefined ? newPayment(which) : this.nextPayment(state);
    this.states.set(thing, next);
    const of = { thing, kind: 'recurring_payment', product: this.productOf(which), reasons };
    return { ...of, record: recurringPayment(thing, of.product, next) };
  }

  private async cancel(which: number): Promise<Change> {
    const thing = this.payment(which);
    await this.writer.cancel(thing);
    // A record with the status that the last one had would not undo the cancellation.
    this.states.set(thing, { ...this.states.get(thing), status: 'CANCELED' });
    const of = { thing, kind: 'recurring_payment', product: this.productOf(which) };
    return { ...of, record: {}, reasons: ['canceled'] };
  }

  private nextPayment(state: State): Next {
    this.amount += 1;
    const paid = { current_payments: Number(state.current_payments) + 1 };
    const changes: Next[] = [
      [{ price: `${this.amount}.00` }, ['changed']],
      [paid, ['paid']],
      [{ current_payments_amount: `${this.amount}.00` }, ['paid']],
    ];
    if (state.status === 'ACTIVE') {
      changes.push([{ status: 'CANCELED' }, ['canceled']]);
      changes.push([{ status: 'COMPLETED' }, ['ended']]);
      changes.push([{ status: 'COMPLETED', ...paid }, ['paid', 'ended']]);
    }
    const [change, reasons] = this.random.oneOf(changes);
    return [{ ...state, ...change }, reasons];
  }

  /** Terms have no reasons, so their change is noted with an empty one. */
  private changeOfTerms(): Change {
    this.amount += 1;
    const [affiliate, product_id] = [this.vendor * 100, this.productOf(0)];
    const record = affiliation(affiliate, product_id, { comments: String(this.amount) });
    const thing = `${affiliate}/${product_id}`;
    return { thing, kind: 'relationship', product: product_id, record, reasons: [''] };
  }

  private isActive(which: number): boolean {
    return this.states.get(this.payment(which))?.status === 'ACTIVE';
  }

  private payment(which: number): string {
    return `P-${this.vendor}-${which}`;
  }

  private productOf(which: number): number {
    return this.vendor * 10 + (which % 2);
  }
}

function newPayment(which: number): Next {
  return [
    { id: which + 1, status: 'ACTIVE', current_payments: 1, current_payments_amount: '47.00' },
    ['started'],
  ];
}

/** Returns a refund of some cents. */
function refundOf(cents: number): object {
  return refund('2025-06-02T12:00:00Z', { refund_amount: (cents / 100).toFixed(2) });
}
