import { Module, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { APP_GUARD, Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { ApiKeyGuard, ApiKeyStrategy } from './api-key.guard.js';
import { AddressLimits } from '../../platform/limits/limiter.js';
import { KeyLimitGuard, OpenLimitGuard } from './key-limit.guard.js';
import { LimitsModule } from '../../platform/limits/limits.module.js';
import { ApiError } from '../errors/api-error.js';
import { type Access, principalOf } from './principal.js';
import { ALLOWED_ACCESS, isOpenOperation } from '../versions/api-operation.js';
import { UnmatchedController } from '../versions/unmatched.controller.js';
import { isMalformedUrl } from '../edge/prepare-request.js';
import { ignoredParameters } from '../validation/request-inputs.js';

/** Limits of the header. Proxies commonly reject responses with more than 8 KiB of headers. */
const MAX_NAMES = 10;
const MAX_NAME_LENGTH = 40;
const MORE = '...';

/**
 * Lists ignored query parameters in a header, so that clients notice mistyped names. It rejects no
 * request. It is a guard because guards run before a request can be rejected, and before the page
 * cache, which must not store this header.
 */
@Injectable()
class IgnoredParametersGuard implements CanActivate {
  canActivate(context: ExecutionContext): true {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    if (!request.url.includes('?') || isMalformedUrl(request)) return true;
    if (context.getClass() === UnmatchedController) return true;
    const ignored = ignoredParameters(context, request.query);
    if (ignored.length > 0) {
      http.getResponse<Response>().setHeader('X-Ignored-Parameters', listOf(ignored));
    }
    return true;
  }
}

/**
 * Returns the value of the header. Names are percent-encoded, because they may contain any
 * character. A long name is left out: it is hardly a mistyped name, but may be a key in the wrong
 * place.
 */
function listOf(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).filter((name) => name.length <= MAX_NAME_LENGTH);
  const isAll = shown.length === names.length;
  const parts = shown.map((name) => encodeURIComponent(name.toWellFormed()));
  return [...parts, ...(isAll ? [] : [MORE])].join(', ');
}

const TO_READ: readonly Access[] = ['full', 'read', 'masked'];
const TO_WRITE: readonly Access[] = ['full'];

/**
 * Rejects applications whose access level does not include the operation. A request for an unknown
 * path passes, to be answered as not found.
 */
@Injectable()
class OperationAccessGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): true {
    if (context.getClass() === UnmatchedController) return true;
    if (isOpenOperation(context.getHandler())) return true;
    const { access } = principalOf(context);
    const allowed = this.allowedBy(context);
    if (allowed.includes(access)) return true;
    const needed = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(allowed);
    const detail = `The application of this key has ${access} access; this operation needs ${needed} access.`;
    throw new ApiError('insufficient_access', detail);
  }

  private allowedBy(context: ExecutionContext): readonly Access[] {
    const declared = this.reflector.get<readonly Access[] | undefined>(
      ALLOWED_ACCESS,
      context.getHandler(),
    );
    if (declared !== undefined) return declared;
    const { method } = context.switchToHttp().getRequest<Request>();
    return method === 'GET' || method === 'HEAD' ? TO_READ : TO_WRITE;
  }
}

/**
 * Runs the guards of every API request in the order of this list. The limits per address come
 * before the lookup of the key, and the check of the access level comes last.
 */
@Module({
  imports: [LimitsModule],
  providers: [
    ApiKeyGuard,
    ApiKeyStrategy,
    { provide: APP_GUARD, useClass: IgnoredParametersGuard },
    { provide: APP_GUARD, useExisting: AddressLimits },
    { provide: APP_GUARD, useClass: OpenLimitGuard },
    { provide: APP_GUARD, useExisting: ApiKeyGuard },
    { provide: APP_GUARD, useClass: KeyLimitGuard },
    { provide: APP_GUARD, useClass: OperationAccessGuard },
  ],
})
export class AccessModule {}
