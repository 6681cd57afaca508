import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request, RequestHandler, Response } from 'express';
import { ApiError, unauthorized } from '../errors/api-error.js';
import { isError } from '../../platform/errors/is-error.js';
import { isOpenOperation } from '../versions/api-operation.js';
import { checkBasicCredentials, incompleteKey } from './basic-credentials.js';
import { clientOf } from './client-address.js';
import { FailedKeys } from '../../platform/limits/failed-keys.js';
import { PassportStrategy } from '@nestjs/passport';
import passport from 'passport';
import { BasicStrategy } from 'passport-http';
import { type Principal, principalOf, Principals } from './principal.js';
import { LRUCache } from 'lru-cache';
import { hash } from 'node:crypto';
import { dateTimeOf } from '../../platform/values/time.js';

/**
 * Milliseconds from the start of the lookup: half the time within which a revocation must take
 * effect.
 */
const LIFETIME_MS = 1_000;
const MAX_ENTRIES = 10_000;

/** Keeps the owners of recently used keys, so that not every request needs a lookup. */
@Injectable()
export class PrincipalCache {
  private readonly entries = new LRUCache<string, Principal>({ max: MAX_ENTRIES });

  /**
   * Returns the owner of a key whose lookup is recent, or undefined.
   * @param authorization the header as it was sent
   */
  get(authorization: string): Principal | undefined {
    const found = this.entries.get(hashOf(authorization));
    // A clock that is set back, or a slow response of the database, must not extend the lifetime.
    if (found === undefined || found.lookedUpAt + LIFETIME_MS <= performance.now())
      return undefined;
    if (found.expires !== null && found.expires <= dateTimeOf(new Date())) return undefined;
    return found;
  }

  /** Returns true if the key was valid at its last lookup, however long ago. */
  has(authorization: string): boolean {
    return this.entries.has(hashOf(authorization));
  }

  set(authorization: string, principal: Principal): void {
    this.entries.set(hashOf(authorization), principal);
  }

  delete(authorization: string): void {
    this.entries.delete(hashOf(authorization));
  }
}

/** Returns the hash of a header. Keys are not kept in memory as plain text. */
function hashOf(authorization: string): string {
  return hash('sha256', authorization, 'base64');
}

/** Looks up the owner of an API key, for passport. */
@Injectable()
export class ApiKeyStrategy extends PassportStrategy(BasicStrategy) {
  constructor(private readonly principals: Principals) {
    super();
  }

  /**
   * Returns an instance of its own. The base class adds the strategy to it; the default is an
   * instance that the whole process shares.
   */
  getPassportInstance(): passport.Authenticator {
    return new passport.Passport();
  }

  /**
   * Returns the owner of the key. The password has already been checked by basic-credentials.ts.
   */
  async validate(key: string): Promise<Principal | false> {
    return (await this.principals.principalOf(key)) ?? false;
  }
}

/** Requires a valid API key on every path but open ones, even on paths that do not exist. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  /**
   * Each service has its own instance: Passport's default instance is shared by the process, so the
   * newest service would answer for all.
   */
  // oxlint-disable-next-line typescript/no-unsafe-assignment -- handlers are of type any in its types
  private readonly passport: passport.Authenticator<RequestHandler, RequestHandler> =
    new passport.Passport();

  constructor(
    strategy: ApiKeyStrategy,
    private readonly cache: PrincipalCache,
    private readonly principals: Principals,
    private readonly failedKeys: FailedKeys,
  ) {
    this.passport.use(strategy);
  }

  canActivate(context: ExecutionContext): true | Promise<true> {
    if (isOpenOperation(context.getHandler())) return true;
    const request = context.switchToHttp().getRequest<Request>();
    const authorization = authorizationOf(request);
    const cached = authorization === null ? undefined : this.cache.get(authorization);
    if (cached === undefined) return this.authenticate(context, request, authorization);
    request.user = cached;
    return true;
  }

  private async authenticate(
    context: ExecutionContext,
    request: Request,
    authorization: string | null,
  ): Promise<true> {
    const client = clientOf(request);
    const isOver = await this.failedKeys.isOver(request, client);
    try {
      const key = checkBasicCredentials(request.headersDistinct.authorization ?? []);
      if (!this.principals.isComplete(key)) throw incompleteKey();
      // A key that was valid before is not a guess, so its lookup is not limited.
      const wasValid = authorization !== null && this.cache.has(authorization);
      if (isOver && !wasValid && this.principals.isWellFormed(key)) {
        await this.failedKeys.takeLookup(request, client);
      }
      await this.lookUp(request, context.switchToHttp().getResponse<Response>());
    } catch (error) {
      if (!isUnauthorized(error)) throw error;
      if (authorization !== null) this.cache.delete(authorization);
      await this.failedKeys.count(request, client);
      throw error;
    }
    if (authorization !== null) this.cache.set(authorization, principalOf(context));
    return true;
  }

  /** Sets the user of the request. @throws ApiError key_invalid */
  private lookUp(request: Request, response: Response): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (error: unknown, user: Express.User | false | null | undefined) => {
        if (error !== null && error !== undefined) {
          reject(isError(error) ? error : new Error('the key lookup failed'));
        } else if (user === false || user === null || user === undefined) {
          reject(unauthorized('key_invalid', 'This key is unknown, revoked or expired.'));
        } else {
          request.user = user;
          resolve();
        }
      };
      this.passport.authenticate('basic', { session: false }, settle)(request, response, reject);
    });
  }
}

/**
 * Reads the Authorization header.
 * @returns null unless there is exactly one such header; of several, `headers` has only the first
 */
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
