import { type ApiError, unauthorized } from '../errors/api-error.js';

/** RFC 4648 base64, with or without padding. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;
const PASSWORD = 'x';

const INCOMPLETE = 'This is not a complete key; check for spaces or line breaks.';
const HOW = 'Send the API key as the user name of HTTP Basic authentication, with the password x.';

/**
 * Checks the Authorization header strictly, since passport-http parses it loosely. See
 * docs/api.md#authentication.
 * @param headers all Authorization headers of the request
 * @returns the user name, which is the key
 * @throws ApiError key_missing (4010) if there are no Basic credentials or no key in them;
 *   key_invalid (4011) if the header is repeated or malformed, or the password is not `x`
 */
export function checkBasicCredentials(headers: readonly string[]): string {
  const [header] = headers;
  if (header === undefined) throw missing();
  if (headers.length > 1) throw invalid('Send one Authorization header.');
  const [scheme = ''] = header.split(' ', 1);
  if (scheme.toLowerCase() !== 'basic') throw missing();
  const encoded = header.slice(scheme.length + 1);
  if (encoded === '') throw missing();
  const decoded = decode(encoded);
  const colon = decoded?.indexOf(':') ?? -1;
  if (decoded === null || colon < 0) throw invalid(HOW);
  if (colon === 0) throw missing();
  const password = decoded.slice(colon + 1);
  if (password !== PASSWORD) throw hasSurplus(password) ? incompleteKey() : invalid(HOW);
  return decoded.slice(0, colon);
}

/** Returns the error for a text that cannot be a key. Its message says what to check. */
export function incompleteKey(): ApiError {
  return invalid(INCOMPLETE);
}

/** Returns true for a password that was copied with a line end, spaces or quotation marks. */
function hasSurplus(password: string): boolean {
  return password.replaceAll(/[\s"'`]/g, '') === PASSWORD;
}

function decode(encoded: string): string | null {
  if (!BASE64.test(encoded)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(encoded, 'base64'));
  } catch {
    return null;
  }
}

function missing(): ApiError {
  return unauthorized('key_missing', HOW);
}

function invalid(detail: string): ApiError {
  return unauthorized('key_invalid', detail);
}
