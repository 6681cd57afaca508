import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import { ApiError } from '../common/errors/api-error.js';
import { isError } from '../common/is-error.js';
import { checkBasicCredentials, unauthorized } from './basic-credentials.js';
import { principalOf } from './current-principal.js';

/**
 * Lets a request in only with the key of an active API application (interface 5). Every route stands
 * behind it, paths that do not exist included.
 */
@Injectable()
export class ApiKeyGuard extends AuthGuard('basic') {
  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    checkBasicCredentials(request.headersDistinct.authorization ?? []);
    return Boolean(await super.canActivate(context));
  }

  override handleRequest<User>(error: unknown, user: User | false | null): User {
    if (error !== null && error !== undefined)
      throw isError(error) ? error : new Error('no look-up');
    if (user === false || user === null) {
      throw unauthorized('key_invalid', 'This key is unknown, revoked or expired.');
    }
    return user;
  }
}

/** Keeps suspended accounts out. It stands after ApiKeyGuard (decisions: Order of the checks). */
@Injectable()
export class AccountGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (principalOf(context).suspended) {
      throw new ApiError('account_suspended', 'The account of this key is suspended.');
    }
    return true;
  }
}
