import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { AddressLimits } from './address-limits.js';

/** Applies the limits per address before the key is checked. */
@Injectable()
export class AddressLimitGuard implements CanActivate {
  constructor(private readonly limits: AddressLimits) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    return this.limits.take(context.switchToHttp().getRequest<Request>());
  }
}
