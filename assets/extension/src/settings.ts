/** Maximum number of characters of a text. */
export const MAX_LENGTH = {
  name: 'SAMPLE_NAME_MAX_LENGTH',
  kind: 'integer',
  min: 1,
  max: 16_000,
  default: 2_000,
  purpose: 'Maximum number of characters of a text on a sale.',
} as const;
