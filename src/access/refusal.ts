import type { ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { ApiError } from '../common/errors/api-error.js';
import { principalOf } from '../modules/accounts/http/current-principal.js';
import { addressOf } from './client-address.js';

/**
 * @returns why the one who calls is turned away in spite of a good key, or null: the address is not on
 *   the key's allow list, or the account is suspended
 */
export function refusalOf(context: ExecutionContext): ApiError | null {
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
