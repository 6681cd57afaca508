/** Lists the tracking fields by which reports group a vendor's sales. */
export const TRACKED_FIELDS = [
  ...(['utm_source', 'utm_campaign', 'tid'] as const),
  ...(['sub_id1', 'sub_id2', 'sub_id3', 'sub_id4', 'sub_id5'] as const),
] as const;
export type TrackedField = (typeof TRACKED_FIELDS)[number];

/** Returns the name of the series of sums by month. The series by day has the name of the field. */
export function monthSeriesOf(field: TrackedField): string {
  return `${field}_month`;
}

export function yearSeriesOf(field: TrackedField): string {
  return `${field}_year`;
}

/** Maximum length of a value with kept sums of its own, in characters. */
export const MAX_TRACKED_LENGTH = 255;
/**
 * The id for the total of all values of a field, including those without kept sums of their own.
 */
export const ANY_VALUE = 0;

/** Lists the kept sums: the number of transactions, and money in cents, as in VENDOR_SUMS. */
export const TRACKING_SUMS = ['transactions', 'amount', 'earnings'] as const;
export type TrackingSum = (typeof TRACKING_SUMS)[number];

/** Returns true if a field has a value. An empty text counts as no value. */
export function hasValue(text: string | null): text is string {
  return text !== null && text !== '';
}

/**
 * Returns whether a value can have kept sums of its own. The length is in characters, as the
 * database counts them.
 */
export function isTrackable(text: string): boolean {
  return text.length <= MAX_TRACKED_LENGTH || Array.from(text).length <= MAX_TRACKED_LENGTH;
}
