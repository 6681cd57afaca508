import type { ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { ApiError } from '../common/errors/api-error.js';
import { principalOf } from '../modules/accounts/http/current-principal.js';
import { addressOf } from './client-address.js';

/**
 * Checks the address and the account of a caller with a valid key.
 * @returns why the caller has no access (address or suspension), or null
 */
export function accessErrorOf(context: ExecutionContext): ApiError | null {
  const { addresses, suspended } = principalOf(context);
  if (addresses !== null) {
    const address = addressOf(context.switchToHttp().getRequest<Request>());
    if (!addresses.holds(address)) {
      return new ApiError('forbidden', "Your address is not on this key's allow list.");
    }
  }
  if (!suspended) return null;
  return new ApiError('account_suspended', 'The account of this key is suspended.');
}
