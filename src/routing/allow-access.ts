import { SetMetadata } from '@nestjs/common';
import type { Access } from '../modules/accounts/account.model.js';

export const ALLOWED_ACCESS = 'allowed-access';

/**
 * Which applications may use an operation. Without this decorator, a GET is for `full`, `read` and
 * `masked`, and everything else is for `full` alone (src/access/operation-access.guard.ts).
 */
export function AllowAccess(...allowed: readonly Access[]): MethodDecorator {
  return SetMetadata(ALLOWED_ACCESS, allowed);
}
