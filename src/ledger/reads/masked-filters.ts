import { ApiError } from '../../api/errors/api-error.js';
import { isMasked, type Principal } from '../../api/access/principal.js';
import { columnsWith, fieldOf } from '../columns.js';

/** Fields of a transaction that show personal data, such as `email`, `vtid` and `custom`. */
const PERSONAL: ReadonlySet<string> = new Set(
  [...columnsWith({ personal: '' }), ...columnsWith({ personal: null })].map(fieldOf),
);

/**
 * Checks that the caller may filter or group by these fields of a transaction. A caller who sees no
 * personal data may not, because the answer would show which records have a value.
 * @throws ApiError insufficient_access for a masked caller and a field with personal data
 */
export function checkFields(principal: Pick<Principal, 'access'>, fields: readonly string[]): void {
  const hidden = isMasked(principal) ? fields.filter((field) => PERSONAL.has(field)) : [];
  if (hidden.length === 0) return;
  const detail = `An application with masked access may not use ${hidden.join(', ')}, because this is personal data.`;
  throw new ApiError('insufficient_access', detail);
}
