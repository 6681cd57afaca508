import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { jsonLogLine } from './log-line.js';
import { Settings } from '../../config/settings.js';
import type { TraceContext } from '../trace-context.js';

/** Time within which lines are collected and written together. */
const FLUSH_MS = 20;

/** Fields of a request in the log: no key, no address of the client, no personal data. */
export interface LoggedRequest {
  readonly requestId: string;
  /** Null if no key was accepted. */
  readonly applicationId: number | null;
  readonly method: string;
  readonly operation: string;
  readonly version: string;
  readonly status: number;
  readonly code: number;
  readonly durationMs: number;
  /** True if the caller disconnected before the response was complete. */
  readonly aborted: boolean;
  readonly trace: TraceContext | null;
}

/** Writes one line for each request: JSON in production, otherwise plain text. */
@Injectable()
export class RequestLog implements BeforeApplicationShutdown {
  readonly isOn: boolean;
  private readonly lineOf: (request: LoggedRequest) => string;
  private lines = '';

  constructor({ environment, logLevel }: Settings) {
    this.isOn = logLevel === 'info' || logLevel === 'debug';
    this.lineOf = environment === 'production' ? jsonLine : plainLine;
    process.once('exit', this.flush);
  }

  add(request: LoggedRequest): void {
    if (this.lines === '') setTimeout(this.flush, FLUSH_MS).unref();
    this.lines += this.lineOf(request);
  }

  beforeApplicationShutdown(): void {
    process.off('exit', this.flush);
    this.flush();
  }

  private readonly flush = (): void => {
    if (this.lines === '') return;
    process.stdout.write(this.lines);
    this.lines = '';
  };
}

function jsonLine({ trace, ...request }: LoggedRequest): string {
  return jsonLogLine('Request', { ...request, ...trace });
}

function plainLine(request: LoggedRequest): string {
  const { method, operation, status, code, durationMs, applicationId, requestId } = request;
  const caller = applicationId === null ? 'no key' : `application ${applicationId}`;
  return `${method} ${operation} ${status} ${code} ${durationMs} ms, ${caller}, ${requestId}\n`;
}
