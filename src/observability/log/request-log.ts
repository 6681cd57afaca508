import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { jsonLogLine } from './log-line.js';
import { Settings } from '../../config/settings.js';
import type { ObservedRequest } from '../metrics/metrics.js';

/** Time within which lines are collected and written together. */
const FLUSH_MS = 20;

/** Fields of a request in the log: no key, no address of the client, no personal data. */
export interface LoggedRequest extends Omit<ObservedRequest, 'seconds'> {
  readonly requestId: string;
  /** Null if no key was accepted. */
  readonly applicationId: number | null;
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
