import { ApiError } from './api-error.js';

/** Returns the error of a 401 response, which must have WWW-Authenticate (RFC 9110, 11.6.1). */
export function unauthorized(failure: 'key_missing' | 'key_invalid', detail: string): ApiError {
  const challenge = { 'WWW-Authenticate': 'Basic realm="Vendor Reporting API", charset="UTF-8"' };
  return new ApiError(failure, detail, challenge);
}
