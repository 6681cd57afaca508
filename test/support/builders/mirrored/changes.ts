import { product, user } from '../ledger-records.js';
import type { MirroredLedger } from '../mirrored-ledger.js';
import { AFFILIATES, MIRRORED_ID, payment, PRE_KEYS, PRODUCTS, relationship } from './parties.js';
import { dateTime, MirroredSales, money, type SaleLine } from './sales.js';

const HOUR_MS = 3_600_000;

/** A change to the ledger, such as a new sale or a refund. Each changes one thing. */
type Change = (changes: MirroredChanges) => object;

/** Share of each change, in percent. */
const CHANGES: readonly (readonly [hundredths: number, change: Change])[] = [
  [60, (changes) => changes.newSale()],
  [12, (changes) => changes.refund()],
  [8, (changes) => changes.amount()],
  [4, (changes) => changes.earlier()],
  [4, (changes) => changes.productName()],
  [4, (changes) => changes.affiliateName()],
  [2, (changes) => changes.nameOfProduct()],
  [3, (changes) => changes.paymentChange()],
  [3, (changes) => changes.relationshipChange()],
];

/** An endless series of changes to a mirrored ledger, each a record of the ledger format. */
export class MirroredChanges {
  private readonly sales: SaleLine[];
  private number = 0;

  constructor(private readonly ledger: MirroredLedger) {
    this.sales = [...ledger.sales];
  }

  next(): object {
    this.number += 1;
    let share = this.random.integer(0, 99);
    for (const [hundredths, change] of CHANGES) {
      share -= hundredths;
      if (share < 0) return change(this);
    }
    throw new Error('the shares add up to a hundred');
  }

  /** Returns a sale of now. Some share a second, and some arrive up to 300 days late. */
  newSale(): object {
    const late = this.random.chance(0.05) ? this.random.integer(1, 300) * 24 * HOUR_MS : 0;
    const sale = this.builder.sale(`N-${this.random.text(6)}-${this.number}`, Date.now() - late);
    this.sales.push(sale);
    return sale;
  }

  refund(): object {
    return this.corrected((sale) => ({
      status: this.random.oneOf(['refunded', 'charged_back', 'completed']),
      refund: this.builder.refundOf(Date.parse(sale.sale_date), 4_700),
    }));
  }

  amount(): object {
    return this.corrected(() => ({ amount: money(this.random.integer(1, 90_000)) }));
  }

  /** Moves a sale to an earlier second, either an unused one or that of another sale. */
  earlier(): object {
    return this.corrected((sale) => {
      const sold = Date.parse(sale.sale_date);
      const other = Date.parse(this.random.oneOf(this.sales).sale_date);
      const own = sold - this.random.integer(1, 48) * HOUR_MS;
      return { sale_date: dateTime(other < sold ? other : own) };
    });
  }

  productName(): object {
    return this.corrected(() => ({ product_name: `Corrected ${this.number}` }));
  }

  affiliateName(): object {
    const id = this.random.oneOf(AFFILIATES);
    const display_name = this.random.oneOf([null, `Renamed ${this.number}`]);
    return user(id, { name: `Affiliate ${id} ${this.number}`, display_name });
  }

  nameOfProduct(): object {
    const id = this.random.oneOf(PRODUCTS);
    return product(id, MIRRORED_ID, { name: `Renamed ${id} ${this.number}` });
  }

  paymentChange(): object {
    return payment(this.random.integer(0, PRE_KEYS.length - 1), this.random);
  }

  relationshipChange(): object {
    return relationship(this.random.oneOf(AFFILIATES), this.random.oneOf(PRODUCTS), this.random);
  }

  private get random() {
    return this.ledger.random;
  }

  private get builder(): MirroredSales {
    return new MirroredSales(this.random, Date.now());
  }

  private corrected(change: (sale: SaleLine) => object): object {
    const place = this.random.integer(0, this.sales.length - 1);
    const sale = this.sales[place];
    if (sale === undefined) throw new Error('a place is of a sale');
    const after = { ...sale, ...change(sale) };
    this.sales[place] = after;
    return after;
  }
}
