import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { Request } from 'express';
import { catchError, type Observable } from 'rxjs';
import { isRecord } from '../../../../common/validation/is-record.js';
import { InvalidParametersError } from '../../../../common/validation/parameters.pipe.js';
import { WebhookChangesService } from '../../endpoints/webhook-changes.service.js';

/**
 * Reports an unusable URL together with the errors of the other fields. Which URLs can be called depends on
 * the settings, which the validators of a body do not know.
 */
@Injectable()
export class UrlFaultsInterceptor implements NestInterceptor {
  constructor(private readonly changes: WebhookChangesService) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      catchError((error: unknown) => {
        if (!(error instanceof InvalidParametersError)) throw error;
        const request = context.switchToHttp().getRequest<Request>();
        throw new InvalidParametersError([...this.faultsOf(request.body), ...error.faults]);
      }),
    );
  }

  /** Returns the fault of the URL. A URL that is not text is among the other errors already. */
  private faultsOf(body: unknown): string[] {
    if (!isRecord(body) || typeof body.url !== 'string') return [];
    const problem = this.changes.problemOfUrl(body.url);
    return problem === null ? [] : [`url ${problem}`];
  }
}
