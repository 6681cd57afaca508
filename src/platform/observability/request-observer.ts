import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { versionOfPath } from '../../api/versions/api-versions.js';
import { internalCodeOf } from '../../api/errors/catalogue.js';
import { Metrics, type ObservedRequest } from './metrics.js';
import { requestIdOf } from '../../api/edge/prepare-request.js';
import { ANY_PATH, toOpenApiPath } from '../../api/versions/operations.js';
import { jsonLogLine } from './service-logger.js';
import { Settings } from '../../config/settings.js';

/** Time within which lines are collected and written together. */
const FLUSH_MS = 20;

/** Fields of a request in the log: no key, no address of the client, no personal data. */
interface LoggedRequest extends Omit<ObservedRequest, 'seconds'> {
  readonly requestId: string;
  /** Null if no key was accepted. */
  readonly applicationId: number | null;
  readonly durationMs: number;
  /** True if the caller disconnected before the response was complete. */
  readonly aborted: boolean;
  readonly trace: ReturnType<typeof readTraceparent>;
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

/**
 * Parses a W3C `traceparent` header.
 * @returns null if it is missing or invalid
 */
export function readTraceparent(header: string | undefined) {
  const [, traceId, parentId] = TRACEPARENT.exec(header ?? '') ?? [];
  if (traceId === undefined || parentId === undefined || header?.startsWith('ff') === true) {
    return null;
  }
  return ALL_ZEROS.test(traceId) || ALL_ZEROS.test(parentId) ? null : { traceId, parentId };
}

/**
 * Label of a request to an unknown path. `REFUSED` labels a request that was rejected before
 * routing.
 */
const UNMATCHED = 'unmatched';
const REFUSED = 'refused';

/** Records every finished request in the metrics and in the log. */
@Injectable()
export class RequestObserver {
  /** Names of operations by route path; the number of routes limits its size. */
  private readonly operations = new Map<string, string>();

  constructor(
    private readonly metrics: Metrics,
    private readonly log: RequestLog,
  ) {}

  /**
   * Records a request when its response closes. It must be the first middleware, so that it covers
   * every response.
   */
  readonly middleware = (request: Request, response: Response, next: NextFunction): void => {
    const startedAt = performance.now();
    response.once('close', () => {
      this.record(request, response, performance.now() - startedAt);
    });
    next();
  };

  private record(request: Request, response: Response, ms: number): void {
    const observed = {
      method: request.method,
      operation: this.operationOf(request),
      version: versionOfPath(request.url),
      status: response.statusCode,
      code: internalCodeOf(response),
    };
    this.metrics.observe({ ...observed, seconds: ms / 1_000 });
    if (!this.log.isOn) return;
    this.log.add({
      requestId: requestIdOf(response),
      applicationId: request.user?.application_id ?? null,
      ...observed,
      durationMs: Math.round(ms * 100) / 100,
      aborted: !response.writableFinished,
      trace: readTraceparent(request.get('traceparent')),
    });
  }

  private operationOf(request: Request): string {
    const route: unknown = request.route;
    if (typeof route !== 'object' || route === null || !('path' in route)) return REFUSED;
    // The route of a nested router contains only the rest of the path.
    const path = request.baseUrl + String(route.path);
    const known = this.operations.get(path);
    if (known !== undefined) return known;
    const operation = path.endsWith(ANY_PATH) ? UNMATCHED : toOpenApiPath(path);
    this.operations.set(path, operation);
    return operation;
  }
}
