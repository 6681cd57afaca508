import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { ServiceLogger } from '../../../src/platform/observability/service-logger.js';

const HOSTILE = 'a \u001b[2J\u009b31m\u202e\u2028b';

afterEach(() => {
  jest.restoreAllMocks();
});

/** Returns the output to a terminal, without the colours of the log itself. */
function written(log: (logger: ServiceLogger) => void): string {
  const parts: string[] = [];
  const take = (part: unknown) => parts.push(String(part)) > 0;
  jest.spyOn(process.stdout, 'write').mockImplementation(take);
  jest.spyOn(process.stderr, 'write').mockImplementation(take);
  log(new ServiceLogger({ environment: 'development', logLevel: 'debug' }));
  jest.restoreAllMocks();
  // oxlint-disable-next-line no-control-regex -- the colours
  return parts.join('').replace(/\u001b\[[\d;]+m/g, '');
}

describe('the log for people', () => {
  it.each<[string, (logger: ServiceLogger) => void]>([
    [
      'a message',
      (logger) => {
        logger.warn(HOSTILE);
      },
    ],
    [
      'an object',
      (logger) => {
        logger.error({ message: HOSTILE });
      },
    ],
    [
      'a stack',
      (logger) => {
        logger.error('failed', `Error: ${HOSTILE}\n    at here`, 'Test');
      },
    ],
  ])('shows what a terminal would obey: %s', (_, log) => {
    const text = written(log);
    expect(text).toMatch(/^[\n -~]*$/);
    expect(text).toMatch(/a \\(u00|x)1b\[2J/i);
    expect(text).toContain('\\u202e\\u2028b');
  });
});
