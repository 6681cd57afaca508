import { InvalidArgumentError } from 'commander';
import { AddressList } from '../../../platform/values/address-list.js';
import { shownText } from '../../../platform/values/shown-text.js';
import { endOfDay, isCalendarDay, parseDateTime } from '../../../platform/values/time.js';
import { isApplicationName } from '../account.model.js';
import { isUserAccess, type UserAccess } from '../../../api/access/principal.js';

/**
 * Returns the name of an application. Like all parsers of this file, it throws
 * InvalidArgumentError, which commander prints with the name of the option.
 */
export function parseName(text: string): string {
  if (!isApplicationName(text)) {
    throw new InvalidArgumentError(
      'It must have 1 to 255 characters, without control characters, line breaks or text direction marks.',
    );
  }
  return text;
}

export function parseAccess(text: string): UserAccess {
  if (isUserAccess(text)) return text;
  if (text === 'source') {
    throw new InvalidArgumentError(
      'An application is created as a source, with keys create --source, and stays one.',
    );
  }
  throw new InvalidArgumentError('It must be full, read or masked.');
}

/** @returns null for `any` */
export function parseAddresses(text: string): AddressList | null {
  if (text === 'any') return null;
  const list = AddressList.parse(text);
  if (list === null) {
    throw new InvalidArgumentError(
      `It must be a comma-separated list of addresses and networks, or any; ${describeWrongEntries(text)}.`,
    );
  }
  return list;
}

function describeWrongEntries(list: string): string {
  const wrong = AddressList.invalidEntries(list).map((entry) => shownText(JSON.stringify(entry)));
  return `${wrong.join(', ')} ${wrong.length === 1 ? 'is' : 'are'} neither`;
}

/** Returns a date-time in UTC; a date without a time means the end of that day. */
export function parseExpiry(text: string): string {
  const dateTime = isCalendarDay(text) ? endOfDay(text) : parseDateTime(text);
  if (dateTime === null) {
    throw new InvalidArgumentError(
      'It must be a date such as 2030-12-31, or a date-time such as 2030-12-31T23:59:59-05:00.',
    );
  }
  return dateTime;
}
