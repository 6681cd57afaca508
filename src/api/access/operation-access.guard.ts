import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { ApiError } from '../errors/api-error.js';
import { type Access, principalOf } from './principal.js';
import { ALLOWED_ACCESS, isOpenOperation } from '../versions/api-operation.js';
import { UnmatchedController } from '../versions/unmatched.controller.js';

const TO_READ: readonly Access[] = ['full', 'read', 'masked'];
const TO_WRITE: readonly Access[] = ['full'];

/**
 * Rejects applications whose access level does not include the operation. A request for an unknown
 * path passes, to be answered as not found.
 */
@Injectable()
export class OperationAccessGuard implements CanActivate {
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
