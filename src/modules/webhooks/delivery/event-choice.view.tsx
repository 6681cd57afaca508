import type { EndpointFilter } from '../endpoint-filter.js';
import { wordsIn, type FilterInput } from '../filter-input.js';
import {
  PAYMENT_REASONS,
  TRANSACTION_REASONS,
} from '../../../ledger/changes/reasons/change-reasons.js';
import { Checks, checkedIn, Field } from '../../../platform/pages/ui/form.view.js';
import type { Visit } from '../../../platform/pages/visit.js';

const KIND_NAMES: ReadonlyMap<string, string> = new Map([
  ['transaction', 'Transactions'],
  ['recurring_payment', 'Subscriptions'],
  ['relationship', 'Affiliate terms'],
  ['product', 'Products'],
  ['affiliate', 'Affiliates'],
]);

const REASON_NAMES: ReadonlyMap<string, string> = new Map([
  ['sold', 'Sale'],
  ['settled', 'Sale settled'],
  ['refunded', 'Refund'],
  ['refund_changed', 'Refund changed'],
  ['charged_back', 'Chargeback'],
  ['corrected', 'Correction'],
  ['commission_changed', 'Commission changed'],
  ['started', 'Subscription started'],
  ['paid', 'Subscription paid'],
  ['canceled', 'Subscription canceled'],
  ['ended', 'Subscription ended'],
  ['changed', 'Subscription changed'],
]);

const REASONS: readonly string[] = [...TRANSACTION_REASONS, ...PAYMENT_REASONS];

function optionsOf(words: readonly string[], names: ReadonlyMap<string, string>) {
  return new Map(words.map((word) => [word, names.get(word) ?? word]));
}

/**
 * Offers the changes that an endpoint gets.
 * @param known kinds of the records in the feed
 */
export function EventChoice({
  known,
  stored,
}: {
  readonly known: readonly string[];
  /** Filter of the endpoint; null for a new one. */
  readonly stored: EndpointFilter | null;
}) {
  const products = stored?.product_ids?.join(', ') ?? '';
  return (
    <>
      <Checks
        legend="Kinds of records"
        name="kinds"
        options={optionsOf(known, KIND_NAMES)}
        chosen={stored?.kinds ?? []}
        hint="None checked sends all kinds. What leaves your ledger is always sent."
      />
      <Checks
        legend="Events"
        name="reasons"
        options={optionsOf(REASONS, REASON_NAMES)}
        chosen={stored?.reasons ?? []}
        hint="None checked sends changes for any reason. With an event, only transactions and subscriptions are sent."
      />
      <Field
        label="Products (optional)"
        name="product_ids"
        hint="Ids of products, with commas between them. Empty sends changes of all products."
        {...(stored === null ? { initial: products } : { stored: products })}
      />
    </>
  );
}

/** Returns the filter of the form. A part without a choice is no filter. */
export function filterIn(visit: Visit, known: readonly string[]): FilterInput {
  return {
    kinds: checkedIn(visit, 'kinds', known),
    reasons: checkedIn(visit, 'reasons', REASONS),
    product_ids: wordsIn(visit.field('product_ids')),
  };
}
