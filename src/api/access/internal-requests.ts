import type { IncomingMessage } from 'node:http';
import type { Principal } from './principal.js';

const principals = new WeakMap<IncomingMessage, Principal>();

/**
 * Lets a request that the service makes itself run for the caller of another request, whose limits
 * and key have been checked.
 */
export function runAs(request: IncomingMessage, principal: Principal): void {
  principals.set(request, principal);
}

/** Returns the caller of a request that the service makes itself, or undefined for any other. */
export function internalCallerOf(request: IncomingMessage): Principal | undefined {
  return principals.get(request);
}

/** Returns true for a request that the service makes itself. */
export function isInternal(request: IncomingMessage): boolean {
  return principals.has(request);
}
