import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { jsonLogLine } from './log-line.js';
import { Settings } from '../../config/settings.js';
import type { TraceContext } from '../trace-context.js';

/** So many lines are written at once as come within this time. */
const GATHER_MS = 20;

/** All that is told of a request: nothing of its key, its caller's address or anybody's data. */
export interface LoggedRequest {
  readonly requestId: string;
  /** Null where no key was accepted. */
  readonly applicationId: number | null;
  readonly method: string;
  readonly operation: string;
  readonly version: string;
  readonly status: number;
  readonly code: number;
  readonly durationMs: number;
  /** True where the caller hung up before the answer was sent. */
  readonly aborted: boolean;
  readonly trace: TraceContext | null;
}

/** One line a request: JSON in production, for people otherwise. */
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
    if (this.lines === '') setTimeout(this.flush, GATHER_MS).unref();
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
  const who = applicationId === null ? 'no key' : `application ${applicationId}`;
  return `${method} ${operation} ${status} ${code} ${durationMs} ms, ${who}, ${requestId}\n`;
}
