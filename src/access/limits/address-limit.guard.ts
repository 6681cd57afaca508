import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { AddressLimits } from './address-limits.js';

/** Holds every address to its limits before its key is looked at (decisions: Order of the checks). */
@Injectable()
export class AddressLimitGuard implements CanActivate {
  constructor(private readonly limits: AddressLimits) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    return this.limits.take(context.switchToHttp().getRequest<Request>());
  }
}
