import type { ErasedPerson, FoundPerson } from '../../../modules/people/people.model.js';
import type { Replayed } from '../../../modules/people/replay/replay.service.js';

export function foundLineOf(found: FoundPerson): string {
  const { vendor_id, sales, first_sale, last_sale, recurring_payments } = found;
  const between = first_sale === null ? '' : `, from ${first_sale} to ${last_sale ?? ''} UTC`;
  return `Vendor ${vendor_id}: ${sales} sales${between}; ${recurring_payments} recurring payments`;
}

export function erasedLineOf({ vendor_id, sales, recurring_payments }: ErasedPerson): string {
  return `Vendor ${vendor_id}: ${sales} sales and ${recurring_payments} recurring payments erased`;
}

export function replayedLineOf({
  erasures,
  added,
  people,
  sales,
  recurring_payments,
}: Replayed): string {
  return `Erasures: ${erasures}, of which the database lacked ${added}. Erased again: ${people} people, ${sales} sales, ${recurring_payments} recurring payments.`;
}
