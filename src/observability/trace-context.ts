const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(?:-.*)?$/;
const NOTHING = /^0+$/;

export interface TraceContext {
  readonly traceId: string;
  readonly parentId: string;
}

/** Reads a W3C `traceparent` header. @returns null where there is none that is valid */
export function readTraceparent(header: string | undefined): TraceContext | null {
  const [, traceId, parentId] = TRACEPARENT.exec(header ?? '') ?? [];
  if (traceId === undefined || parentId === undefined || header?.startsWith('ff') === true) {
    return null;
  }
  return NOTHING.test(traceId) || NOTHING.test(parentId) ? null : { traceId, parentId };
}
