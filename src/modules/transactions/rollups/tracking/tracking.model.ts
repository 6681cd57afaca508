/** The fields by which a vendor's sales are shown (interface 2.2, tracking). */
export const TRACKED_FIELDS = [
  ...(['utm_source', 'utm_campaign', 'tid'] as const),
  ...(['sub_id1', 'sub_id2', 'sub_id3', 'sub_id4', 'sub_id5'] as const),
] as const;
export type TrackedField = (typeof TRACKED_FIELDS)[number];

/** Series of sums by day have the name of their field; those by month and by year these names. */
export function monthSeriesOf(field: TrackedField): string {
  return `${field}_month`;
}

export function yearSeriesOf(field: TrackedField): string {
  return `${field}_year`;
}

/** Longer values have no sums of their own. */
export const MAX_TRACKED_LENGTH = 255;
/** The id of all values of a field together, those without sums of their own included. */
export const ANY_VALUE = 0;

/** The number of transactions, and money in cents, as in VENDOR_SUMS. */
export const TRACKING_SUMS = ['transactions', 'amount', 'earnings'] as const;
export type TrackingSum = (typeof TRACKING_SUMS)[number];

/** An empty text is no value. */
export function hasValue(text: string | null): text is string {
  return text !== null && text !== '';
}

/** Whether a value can have sums of its own; the length is in characters, as the database counts them. */
export function isTrackable(text: string): boolean {
  return text.length <= MAX_TRACKED_LENGTH || Array.from(text).length <= MAX_TRACKED_LENGTH;
}
