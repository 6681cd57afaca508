import type { ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { queryNamesOf } from '../common/validation/request-inputs.js';

/**
 * The path and query of a request, without the parameters that its operation ignores and in one
 * spelling: addresses that differ in nothing else are the same.
 */
export function knownAddressOf(context: ExecutionContext): string {
  const request = context.switchToHttp().getRequest<Request>();
  const { path, query } = request;
  const pairs = [...queryNamesOf(context)].flatMap((name) => {
    const values = [query[name] ?? []].flat().filter((value) => typeof value === 'string');
    return values.map((value) => `${name}=${encodeURIComponent(value)}`);
  });
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}
