import { SetMetadata } from '@nestjs/common';
import type { Access } from '../modules/accounts/account.model.js';

export const ALLOWED_ACCESS = 'allowed-access';

/**
 * Sets the access levels that may use an operation. Without this decorator, `full`, `read` and
 * `masked` may use a GET, and only `full` may use other methods
 * (src/access/operation-access.guard.ts).
 */
export function AllowAccess(...allowed: readonly Access[]): MethodDecorator {
  return SetMetadata(ALLOWED_ACCESS, allowed);
}
