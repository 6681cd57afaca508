import type { RecordFields } from '../../ledger-format/record-fields.js';
import {
  BEFORE_THE_BATCH,
  type AuditedChange,
  type BatchRun,
  type References,
} from '../../ledger-format/ledger.model.js';
import type { Overruled } from '../../ledger-format/overruled.js';
import type { Change, RecordKind } from '../../ledger-format/record-batch.js';
import { RECURRING_STATUSES, type RecurringPayment } from './recurring-payment.model.js';
import type { RecurringRepository } from './recurring.repository.js';

/** The `recurring_payment` records of a ledger file (ledger format: recurring_payment). */
export class RecurringPaymentRecords implements RecordKind<RecurringPayment> {
  readonly type = 'recurring_payment';
  private overruledOf = new Map<string, Overruled>();

  constructor(private readonly repository: RecurringRepository) {}

  read(fields: RecordFields, references: References): RecurringPayment {
    const product_id = fields.id('product_id');
    references.products.add(product_id);
    return {
      pre_key: fields.matching('pre_key', /./s, 'text of 1 to 255 characters'),
      id: fields.id('id'),
      product_id,
      status: fields.choice('status', RECURRING_STATUSES),
      current_payments: fields.integer('current_payments'),
      max_number_of_payments: fields.integer('max_number_of_payments'),
      max_total_of_all_payments: fields.money('max_total_of_all_payments'),
      max_amount_per_payment: fields.money('max_amount_per_payment'),
      next_payment: fields.moment('next_payment'),
      processor_email: fields.text('processor_email'),
      contact_email: fields.text('contact_email'),
      code: fields.optionalText('code'),
      price: fields.money('price'),
      payment_period: fields.integer('payment_period'),
      payment_count: fields.integer('payment_count'),
      payment_first_payout: fields.money('payment_first_payout'),
      has_payment_trial: fields.flag('has_payment_trial'),
      payment_trial_price: fields.money('payment_trial_price'),
      payment_trial_period: fields.integer('payment_trial_period'),
      payment_trial_payout: fields.money('payment_trial_payout'),
      payout: fields.optionalMoney('payout'),
      current_payments_amount: fields.money('current_payments_amount'),
      created: fields.moment('created'),
      sender_email: fields.text('sender_email'),
      last_date: fields.moment('last_date'),
      next_date: fields.moment('next_date'),
      ip: fields.text('ip'),
      referrer: fields.longText('referrer'),
      tid: fields.optionalLongText('tid'),
      vtid: fields.optionalLongText('vtid'),
    };
  }

  identity(payment: RecurringPayment): string {
    return payment.pre_key;
  }

  async stored(
    run: BatchRun,
    payments: readonly RecurringPayment[],
  ): Promise<readonly RecurringPayment[]> {
    const pre_keys = payments.map(({ pre_key }) => pre_key);
    const stored = await this.repository.lockedPayments(run.session, pre_keys);
    const references = await this.repository.knownPreKeys(run.session, run.references.pre_keys);
    for (const pre_key of references) run.pre_keys.set(pre_key, BEFORE_THE_BATCH);
    for (const { content } of stored) this.noteExistence(content, BEFORE_THE_BATCH, run);
    this.overruledOf = new Map(
      stored.map(({ content, overruled }) => [content.pre_key, overruled]),
    );
    return stored.map(({ content }) => content);
  }

  overruled(pre_key: string): Overruled {
    return this.overruledOf.get(pre_key) ?? null;
  }

  refusal(payment: RecurringPayment, line: number, run: BatchRun): string | null {
    return run.vendorOf(payment.product_id, line) === null
      ? `product_id: there is no product ${payment.product_id}`
      : null;
  }

  noteExistence(payment: RecurringPayment, since: number, run: BatchRun): void {
    run.pre_keys.set(payment.pre_key, since);
  }

  referredTo({ pre_keys }: References): Iterable<string> {
    return pre_keys;
  }

  /** Of a payment the log tells the status alone: the rest is the customer's, or counts up. */
  audited(before: RecurringPayment, after: RecurringPayment): AuditedChange | null {
    if (before.status === after.status) return null;
    return {
      action: 'recurring_payment.import',
      subject: `recurring payment ${after.id}`,
      before: { status: before.status },
      after: { status: after.status },
    };
  }

  async save(run: BatchRun, changes: readonly Change<RecurringPayment>[]): Promise<void> {
    const stored = changes.map(({ after, overruled }) => ({ content: after, overruled }));
    await this.repository.savePayments(run.session, stored);
  }
}
