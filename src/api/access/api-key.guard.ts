import { hash } from 'node:crypto';
import passport from 'passport';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request, RequestHandler, Response } from 'express';
import { PassportStrategy } from '@nestjs/passport';
import { BasicStrategy } from 'passport-http';
import { LRUCache } from 'lru-cache';
import { ApiError, unauthorized } from '../errors/api-error.js';
import { isError } from '../../platform/errors/is-error.js';
import { isOpenOperation, takesBearerKeys } from '../versions/api-operation.js';
import { clientOf } from './client-address.js';
import { internalCallerOf } from './internal-requests.js';
import { FailedKeys } from '../../platform/limits/failed-keys.js';
import { type Principal, principalOf, Principals } from './principal.js';
import { dateTimeOf } from '../../platform/values/time.js';

/**
 * Milliseconds from the start of the lookup: half the time within which a revocation must take
 * effect.
 */
const LIFETIME_MS = 1_000;
const MAX_ENTRIES = 10_000;

/** Keeps the owners of recently used keys, so that not every request needs a lookup. */
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
   * Returns the owner of the key. The password has already been checked by api-key.guard.ts.
   */
  async validate(key: string): Promise<Principal | false> {
    return (await this.principals.principalOf(key)) ?? false;
  }
}

/** Requires a valid API key on every path but open ones, even on paths that do not exist. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  private readonly cache = new PrincipalCache();
  /**
   * Each service has its own instance: Passport's default instance is shared by the process, so the
   * newest service would answer for all.
   */
  // oxlint-disable-next-line typescript/no-unsafe-assignment -- handlers are of type any in its types
  private readonly passport: passport.Authenticator<RequestHandler, RequestHandler> =
    new passport.Passport();

  constructor(
    strategy: ApiKeyStrategy,
    private readonly principals: Principals,
    private readonly failedKeys: FailedKeys,
  ) {
    this.passport.use(strategy);
  }

  canActivate(context: ExecutionContext): true | Promise<true> {
    if (isOpenOperation(context.getHandler())) return true;
    const request = context.switchToHttp().getRequest<Request>();
    const caller = internalCallerOf(request);
    if (caller !== undefined) {
      request.user = caller;
      return true;
    }
    const authorization = authorizationFor(context, request);
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
      const headers = request.headersDistinct.authorization ?? [];
      const bearer = takesBearerKeys(context.getHandler()) ? bearerKeyOf(headers) : null;
      const key = bearer ?? checkBasicCredentials(headers);
      if (!this.principals.isComplete(key)) throw incompleteKey();
      // A key that was valid before is not a guess, so its lookup is not limited.
      const wasValid = authorization !== null && this.cache.has(authorization);
      if (isOver && !wasValid && this.principals.isWellFormed(key)) {
        await this.failedKeys.takeLookup(request, client);
      }
      if (bearer === null) {
        await this.lookUp(request, context.switchToHttp().getResponse<Response>());
      } else await this.lookUpBearer(request, bearer);
    } catch (error) {
      if (!isUnauthorized(error)) throw error;
      if (authorization !== null) this.cache.delete(authorization);
      await this.failedKeys.count(request, client);
      throw error;
    }
    if (authorization !== null) this.cache.set(authorization, principalOf(context));
    return true;
  }

  /** Sets the user of a request with a Bearer key. @throws ApiError key_invalid */
  private async lookUpBearer(request: Request, key: string): Promise<void> {
    const principal = await this.principals.principalOf(key);
    if (principal === null) throw unknownKey();
    request.user = principal;
  }

  /** Sets the user of the request. @throws ApiError key_invalid */
  private lookUp(request: Request, response: Response): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (error: unknown, user: Express.User | false | null | undefined) => {
        if (error !== null && error !== undefined) {
          reject(isError(error) ? error : new Error('the key lookup failed'));
        } else if (user === false || user === null || user === undefined) {
          reject(unknownKey());
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

/** Returns the Authorization header, unless its scheme is one that the operation does not take. */
function authorizationFor(context: ExecutionContext, request: Request): string | null {
  const authorization = authorizationOf(request);
  if (authorization === null || !BEARER.test(authorization)) return authorization;
  return takesBearerKeys(context.getHandler()) ? authorization : null;
}

function isAuthorization(name: string): boolean {
  return name.length === 'authorization'.length && name.toLowerCase() === 'authorization';
}

function unknownKey(): ApiError {
  return unauthorized('key_invalid', 'This key is unknown, revoked or expired.');
}

const BEARER = /^bearer /i;

/**
 * Returns the key of one Authorization header with the scheme Bearer.
 * @returns null for any other headers, which are then checked as Basic credentials
 */
function bearerKeyOf(headers: readonly string[]): string | null {
  const [header = ''] = headers;
  const [, key] = /^bearer +(\S+) *$/i.exec(header) ?? [];
  return headers.length === 1 && key !== undefined ? key : null;
}

function isUnauthorized(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    (error.failure === 'key_missing' || error.failure === 'key_invalid')
  );
}

/** RFC 4648 base64, with or without padding. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/;
const PASSWORD = 'x';

const INCOMPLETE = 'This is not a complete key; check for spaces or line breaks.';
const HOW = 'Send the API key as the user name of HTTP Basic authentication, with the password x.';

/**
 * Checks the Authorization header strictly, since passport-http parses it loosely. See
 * docs/api.md#authentication.
 * @param headers all Authorization headers of the request
 * @returns the user name, which is the key
 * @throws ApiError key_missing (4010) if there are no Basic credentials or no key in them;
 *   key_invalid (4011) if the header is repeated or malformed, or the password is not `x`
 */
export function checkBasicCredentials(headers: readonly string[]): string {
  const [header] = headers;
  if (header === undefined) throw missing();
  if (headers.length > 1) throw invalid('Send one Authorization header.');
  const [scheme = ''] = header.split(' ', 1);
  if (scheme.toLowerCase() !== 'basic') throw missing();
  const encoded = header.slice(scheme.length + 1);
  if (encoded === '') throw missing();
  const decoded = decode(encoded);
  const colon = decoded?.indexOf(':') ?? -1;
  if (decoded === null || colon < 0) throw invalid(HOW);
  if (colon === 0) throw missing();
  const password = decoded.slice(colon + 1);
  if (password !== PASSWORD) throw hasSurplus(password) ? incompleteKey() : invalid(HOW);
  return decoded.slice(0, colon);
}

/** Returns the error for a text that cannot be a key. Its message says what to check. */
function incompleteKey(): ApiError {
  return invalid(INCOMPLETE);
}

/** Returns true for a password that was copied with a line end, spaces or quotation marks. */
function hasSurplus(password: string): boolean {
  return password.replaceAll(/[\s"'`]/g, '') === PASSWORD;
}

function decode(encoded: string): string | null {
  if (!BASE64.test(encoded)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(encoded, 'base64'));
  } catch {
    return null;
  }
}

function missing(): ApiError {
  return unauthorized('key_missing', HOW);
}

function invalid(detail: string): ApiError {
  return unauthorized('key_invalid', detail);
}
