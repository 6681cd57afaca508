import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { ApiError } from '../common/errors/api-error.js';
import { addressOf } from './client-address.js';
import { principalOf } from '../modules/accounts/http/current-principal.js';

/**
 * Keeps out who has a good key and yet may not come in: from an address that is not on the key's
 * allow list, or with a suspended account.
 */
@Injectable()
export class AccountGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const refusal = refusalOf(context);
    if (refusal !== null) throw refusal;
    return true;
  }
}

/** @returns why the one who calls is turned away, or null */
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
