const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(?:-.*)?$/;
const ALL_ZEROS = /^0+$/;

export interface TraceContext {
  readonly traceId: string;
  readonly parentId: string;
}

/**
 * Parses a W3C `traceparent` header.
 * @returns null if it is missing or invalid
 */
export function readTraceparent(header: string | undefined): TraceContext | null {
  const [, traceId, parentId] = TRACEPARENT.exec(header ?? '') ?? [];
  if (traceId === undefined || parentId === undefined || header?.startsWith('ff') === true) {
    return null;
  }
  return ALL_ZEROS.test(traceId) || ALL_ZEROS.test(parentId) ? null : { traceId, parentId };
}
