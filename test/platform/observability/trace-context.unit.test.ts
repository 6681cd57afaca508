import { describe, expect, it } from '@jest/globals';
import { readTraceparent } from '../../../src/platform/observability/request-observer.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

describe('a traceparent', () => {
  it.each([`00-${TRACE}-${PARENT}-01`, `01-${TRACE}-${PARENT}-00-more`])(
    'is read: %s',
    (header) => {
      expect(readTraceparent(header)).toEqual({ traceId: TRACE, parentId: PARENT });
    },
  );

  it.each([
    undefined,
    '',
    `ff-${TRACE}-${PARENT}-01`,
    `00-${'0'.repeat(32)}-${PARENT}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${PARENT}-01`,
    `00-${TRACE}-${PARENT}`,
    `00-${TRACE}-${PARENT}-01\n{"level":"error"}`,
  ])('that is not valid is left out: %p', (header) => {
    expect(readTraceparent(header)).toBeNull();
  });
});
