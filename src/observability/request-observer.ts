import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { versionOfPath } from '../common/api-versions.js';
import { internalCodeOf } from '../common/errors/catalogue.js';
import { Metrics } from './metrics/metrics.js';
import { requestIdOf } from '../common/request-id.js';
import { ANY_PATH, toOpenApiPath } from '../routing/operations.js';
import { RequestLog, readTraceparent } from './log/request-log.js';

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
