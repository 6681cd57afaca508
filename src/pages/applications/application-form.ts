import { AddressList } from '../../common/address-list.js';
import { endOfDay, isCalendarDay, momentOf } from '../../common/time.js';
import { isApplicationName } from '../../modules/accounts/account.model.js';
import type { Visit } from '../shell/visit.js';

/** How long an old key goes on working after a rotation, in seconds, by what the form sends. */
export const OVERLAPS: ReadonlyMap<string, readonly [number, string]> = new Map([
  ['0', [0, 'Not at all: it ends now']],
  ['1h', [3_600, '1 hour']],
  ['24h', [86_400, '24 hours']],
  ['7d', [7 * 86_400, '7 days']],
]);

/** What a person typed wrong, in a sentence for the person. */
export class FormProblem extends Error {}

/** @throws FormProblem */
export function nameIn(visit: Visit): string {
  const name = visit.field('name').trim();
  if (!isApplicationName(name)) throw new FormProblem('The name must have 1 to 255 characters.');
  return name;
}

/**
 * The last moment of the day that was chosen, in UTC, or null where the field is empty.
 * @throws FormProblem
 */
export function expiryIn(visit: Visit): string | null {
  const day = visit.field('expires').trim();
  if (day === '') return null;
  if (!isCalendarDay(day)) {
    throw new FormProblem('The last day must be a date such as 2030-12-31.');
  }
  if (endOfDay(day) < momentOf(new Date())) {
    throw new FormProblem('The last day must not lie in the past. To end a key now, revoke it.');
  }
  return endOfDay(day);
}

/**
 * Addresses and networks with commas or line ends between, or null where the field is empty.
 * @throws FormProblem
 */
export function addressesIn(visit: Visit): AddressList | null {
  const parts = visit.field('addresses').split(/[\s,]+/);
  const text = parts.filter((part) => part !== '').join(',');
  if (text === '') return null;
  const list = AddressList.parse(text);
  if (list === null) {
    throw new FormProblem(
      'An address is like 203.0.113.7 or 2001:db8::7, a network like 198.51.100.0/24.',
    );
  }
  return list;
}

/** @throws FormProblem */
export function overlapIn(visit: Visit): number {
  const overlap = OVERLAPS.get(visit.field('overlap'));
  if (overlap === undefined) throw new FormProblem('Choose how long the old key goes on working.');
  return overlap[0];
}
