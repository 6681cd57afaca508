import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Principal } from '../account.model.js';

declare global {
  // Passport's types let an application declare its user type under this name.
  // oxlint-disable-next-line typescript/no-namespace
  namespace Express {
    // oxlint-disable-next-line typescript/no-empty-object-type
    interface User extends Principal {}
  }
}

/** Returns the caller. Every route behind ApiKeyGuard has one, unless it is an open operation. */
export function principalOf(context: ExecutionContext): Principal {
  const { user } = context.switchToHttp().getRequest<Request>();
  if (user === undefined) throw new Error('a route is not behind ApiKeyGuard');
  return user;
}

export const CurrentPrincipal = createParamDecorator((_: unknown, context: ExecutionContext) =>
  principalOf(context),
);
