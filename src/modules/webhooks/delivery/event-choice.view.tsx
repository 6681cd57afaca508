import type { EndpointFilter } from '../endpoint-filter.js';
import { wordsIn, type FilterInput } from '../filter-input.js';
import {
  PAYMENT_REASONS,
  TRANSACTION_REASONS,
} from '../../../ledger/changes/reasons/change-reasons.js';
import { Checks, checkedIn } from '../../../platform/pages/forms/choices.view.js';
import { Field } from '../../../platform/pages/ui/form.view.js';
import type { Visit } from '../../../platform/pages/visit.js';

const KIND_NAMES: ReadonlyMap<string, string> = new Map([
  ['transaction', 'Transactions'],
  ['recurring_payment', 'Subscriptions'],
  ['relationship', 'Affiliate terms'],
  ['product', 'Products'],
  ['affiliate', 'Affiliates'],
]);

/** Explanations of the kinds of changes, by kind. */
const KIND_EXPLANATIONS: ReadonlyMap<string, string> = new Map([
  ['transaction', 'Sales, refunds and chargebacks'],
  ['recurring_payment', 'When one starts, is paid, is canceled or ends'],
  ['relationship', 'Approvals and commissions of affiliates for your products'],
  ['product', 'New products and new names'],
  ['affiliate', 'New affiliates and new names'],
]);

const REASON_NAMES: ReadonlyMap<string, string> = new Map([
  ['sold', 'Sale'],
  ['settled', 'Sale paid'],
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

interface Chosen {
  /** Filter of the endpoint; null for a new one. */
  readonly stored: EndpointFilter | null;
}

/**
 * Offers the kinds of records whose changes an endpoint gets; all are checked without a filter.
 * @param known kinds of the records in the feed
 */
export function KindChoice({ known, stored }: Chosen & { readonly known: readonly string[] }) {
  return (
    <Checks
      legend="Send changes of"
      name="kinds"
      options={optionsOf(known, KIND_NAMES)}
      chosen={stored?.kinds ?? known}
      explanations={KIND_EXPLANATIONS}
      hint="Always sent: the deletion of a record of any kind."
    />
  );
}

/** Offers the events and the products to which an endpoint is limited. */
export function EventChoice({ stored }: Chosen) {
  const products = stored?.product_ids?.join(', ') ?? '';
  return (
    <>
      <Checks
        legend="Only these events"
        name="reasons"
        options={optionsOf(REASONS, REASON_NAMES)}
        chosen={stored?.reasons ?? []}
        hint="Check none to get every event. If you check one, only transactions and subscriptions are sent."
      />
      <Field
        label="Only these products"
        name="product_ids"
        hint="Ids of products, with commas between them. Leave empty for all products."
        {...(stored === null ? { initial: products } : { stored: products })}
      />
    </>
  );
}

/** Returns in words what an endpoint gets. */
export function sentWords({ kinds, reasons, product_ids }: EndpointFilter): string {
  const named = (words: readonly string[], names: ReadonlyMap<string, string>) =>
    [...optionsOf(words, names).values()].join(', ');
  const parts = [
    kinds === null ? 'All kinds of changes' : named(kinds, KIND_NAMES),
    ...(reasons === null ? [] : [`only these events: ${named(reasons, REASON_NAMES)}`]),
    ...(product_ids === null ? [] : [`only the products ${product_ids.join(', ')}`]),
  ];
  return parts.join('; ');
}

/** Returns the filter of the form. A part with every choice, or with none, is no filter. */
export function filterIn(visit: Visit, known: readonly string[]): FilterInput {
  const kinds = checkedIn(visit, 'kinds', known);
  return {
    kinds: kinds.length === known.length ? [] : kinds,
    reasons: checkedIn(visit, 'reasons', REASONS),
    product_ids: wordsIn(visit.field('product_ids')),
  };
}
