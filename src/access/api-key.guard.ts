import { Injectable, type ExecutionContext } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import { ApiError } from '../common/errors/api-error.js';
import { isError } from '../common/errors/is-error.js';
import { PrincipalsService } from '../modules/accounts/principals.service.js';
import { checkBasicCredentials, unauthorized } from './basic-credentials.js';
import { clientOf } from './client-address.js';
import { principalOf } from '../modules/accounts/http/current-principal.js';
import { FailedKeys } from './limits/failed-keys.js';
import { PrincipalCache } from './principal-cache.js';

/**
 * Lets a request in only with the key of an active API application (interface 5). Every route stands
 * behind it, paths that do not exist included.
 */
@Injectable()
export class ApiKeyGuard extends AuthGuard('basic') {
  constructor(
    private readonly memory: PrincipalCache,
    private readonly principals: PrincipalsService,
    private readonly failedKeys: FailedKeys,
  ) {
    super();
  }

  override canActivate(context: ExecutionContext): true | Promise<true> {
    const request = context.switchToHttp().getRequest<Request>();
    const authorization = authorizationOf(request);
    const known = authorization === null ? undefined : this.memory.get(authorization);
    if (known === undefined) return this.lookUp(context, request, authorization);
    request.user = known;
    return true;
  }

  override handleRequest<User>(error: unknown, user: User | false | null): User {
    if (error !== null && error !== undefined)
      throw isError(error) ? error : new Error('no look-up');
    if (user === false || user === null) {
      throw unauthorized('key_invalid', 'This key is unknown, revoked or expired.');
    }
    return user;
  }

  private async lookUp(
    context: ExecutionContext,
    request: Request,
    authorization: string | null,
  ): Promise<true> {
    const client = clientOf(request);
    const isOver = await this.failedKeys.isOver(request, client);
    try {
      const key = checkBasicCredentials(request.headersDistinct.authorization ?? []);
      if (isOver && !this.wasRight(authorization) && this.principals.isWellFormed(key)) {
        await this.failedKeys.takeLookUp(request, client);
      }
      await super.canActivate(context);
    } catch (error) {
      if (!isUnauthorized(error)) throw error;
      if (authorization !== null) this.memory.delete(authorization);
      await this.failedKeys.count(request, client);
      throw error;
    }
    if (authorization !== null) this.memory.set(authorization, principalOf(context));
    return true;
  }

  /** Whoever has used a key before does not guess it. */
  private wasRight(authorization: string | null): boolean {
    return authorization !== null && this.memory.has(authorization);
  }
}

/** @returns null unless there is exactly one such header, of which Node would tell the first only */
function authorizationOf({ headers, rawHeaders }: Request): string | null {
  const names = rawHeaders.filter((text, index) => index % 2 === 0 && isAuthorization(text));
  return names.length === 1 ? (headers.authorization ?? null) : null;
}

function isAuthorization(name: string): boolean {
  return name.length === 'authorization'.length && name.toLowerCase() === 'authorization';
}

function isUnauthorized(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    (error.failure === 'key_missing' || error.failure === 'key_invalid')
  );
}
