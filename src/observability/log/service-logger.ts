import { ConsoleLogger, type LogLevel as NestLogLevel } from '@nestjs/common';
import { shownLines, shownMarks } from '../../common/shown-text.js';
import type { LogLevel, Settings } from '../../config/settings.js';

const NEST_LEVELS: Readonly<Record<LogLevel, NestLogLevel[]>> = {
  error: ['fatal', 'error'],
  warn: ['fatal', 'error', 'warn'],
  info: ['fatal', 'error', 'warn', 'log'],
  debug: ['fatal', 'error', 'warn', 'log', 'debug', 'verbose'],
};

/** What the framework says of its own start; of use only to who looks for a fault in it. */
const FRAMEWORK = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
  'ExceptionHandler',
]);

/** The log: lines for people in development, one JSON object a line in production. */
export class ServiceLogger extends ConsoleLogger {
  constructor(private readonly settings: Pick<Settings, 'environment' | 'logLevel'>) {
    super({
      json: settings.environment === 'production',
      logLevels: NEST_LEVELS[settings.logLevel],
    });
  }

  override log(message: unknown, ...rest: unknown[]): void {
    if (!this.isNoise(rest)) super.log(message, ...rest);
  }

  override error(message: unknown, ...rest: unknown[]): void {
    // What ends a start is told in one line, see start-errors.ts.
    if (!this.isNoise(rest)) super.error(message, ...rest);
  }

  /** For people: a terminal shows what a message quotes, and obeys none of it. */
  protected override stringifyMessage(message: unknown, level: NestLogLevel): string {
    if (typeof message === 'string') return super.stringifyMessage(shownLines(message), level);
    return shownMarks(super.stringifyMessage(message, level));
  }

  /** @param stack undefined where there is none, whatever the type of the framework says */
  protected override printStackTrace(stack: string | undefined): void {
    if (stack !== undefined) super.printStackTrace(shownLines(stack));
  }

  private isNoise(rest: readonly unknown[]): boolean {
    const context = rest.at(-1);
    const isFramework = typeof context === 'string' && FRAMEWORK.has(context);
    return isFramework && this.settings.logLevel !== 'debug';
  }
}
