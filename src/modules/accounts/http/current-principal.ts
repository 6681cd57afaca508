import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Principal } from '../account.model.js';

declare global {
  // The name under which passport's own types let an application say what its user is.
  // eslint-disable-next-line @typescript-eslint/no-namespace
  namespace Express {
    // eslint-disable-next-line @typescript-eslint/no-empty-object-type
    interface User extends Principal {}
  }
}

/** Who calls. Behind ApiKeyGuard there is always somebody. */
export function principalOf(context: ExecutionContext): Principal {
  const { user } = context.switchToHttp().getRequest<Request>();
  if (user === undefined) throw new Error('a route stands outside of ApiKeyGuard');
  return user;
}

export const CurrentPrincipal = createParamDecorator((_: unknown, context: ExecutionContext) =>
  principalOf(context),
);
