import { ConsoleLogger, type LogLevel as NestLogLevel } from '@nestjs/common';
import { shownLines, shownMarks } from '../values/shown-text.js';
import type { LogLevel, Settings } from '../../config/settings.js';

const NEST_LEVELS: Readonly<Record<LogLevel, NestLogLevel[]>> = {
  error: ['fatal', 'error'],
  warn: ['fatal', 'error', 'warn'],
  info: ['fatal', 'error', 'warn', 'log'],
  debug: ['fatal', 'error', 'warn', 'log', 'debug', 'verbose'],
};

/**
 * Contexts of the framework's own messages about the start, which are logged only at the level
 * debug.
 */
const FRAMEWORK = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
  'ExceptionHandler',
]);

/** Logs plain lines in development, and one JSON object per line in production. */
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
    // start-errors.ts reports a failed start in one line.
    if (!this.isNoise(rest)) super.error(message, ...rest);
  }

  /** Escapes quoted text, which could otherwise control the terminal. */
  protected override stringifyMessage(message: unknown, level: NestLogLevel): string {
    if (typeof message === 'string') return super.stringifyMessage(shownLines(message), level);
    return shownMarks(super.stringifyMessage(message, level));
  }

  /** @param stack can be undefined, although the framework's type says otherwise */
  protected override printStackTrace(stack: string | undefined): void {
    if (stack !== undefined) super.printStackTrace(shownLines(stack));
  }

  private isNoise(rest: readonly unknown[]): boolean {
    const context = rest.at(-1);
    const isFramework = typeof context === 'string' && FRAMEWORK.has(context);
    return isFramework && this.settings.logLevel !== 'debug';
  }
}

/** Formats a log line for production, like the lines of Nest. */
export function jsonLogLine(context: string, message: object): string {
  const fields = { level: 'log', pid: process.pid, timestamp: Date.now(), context };
  return `${JSON.stringify({ ...fields, message })}\n`;
}
