import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { Request } from 'express';
import { catchError, type Observable } from 'rxjs';
import { InvalidParametersError, ParametersPipe } from '../common/validation/parameters.pipe.js';
import { requestInputsOf, type RequestInput } from '../common/validation/request-inputs.js';

/** As Nest names the parts of a request. */
const NEST_NAMES = { path: 'param', query: 'query', body: 'body' } as const;

/**
 * Names the faults of the path, the query and the body in one answer (decisions: Order of the checks).
 * Nest checks the parts beside each other and tells the first that fails; only then all are looked at.
 */
@Injectable()
export class AllFaultsInterceptor implements NestInterceptor {
  private readonly taken = new WeakMap<object, readonly RequestInput[]>();

  constructor(private readonly pipe: ParametersPipe) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const taken = this.requestInputsOf(context);
    if (taken.length < 2) return next.handle();
    return next.handle().pipe(
      catchError(async (error: unknown) => {
        if (!(error instanceof InvalidParametersError)) throw error;
        const request = context.switchToHttp().getRequest<Request>();
        throw new InvalidParametersError(await this.faultsOf(request, taken));
      }),
    );
  }

  private requestInputsOf(context: ExecutionContext): readonly RequestInput[] {
    const handler = context.getHandler();
    const taken = this.taken.get(handler) ?? requestInputsOf(context.getClass(), handler.name);
    this.taken.set(handler, taken);
    return taken;
  }

  private async faultsOf(request: Request, taken: readonly RequestInput[]): Promise<string[]> {
    const sent = { path: request.params, query: request.query, body: request.body as unknown };
    const faults = await Promise.all(
      taken.map(async ({ from, type: metatype }) => {
        try {
          await this.pipe.transform(sent[from], { type: NEST_NAMES[from], metatype });
          return [];
        } catch (error) {
          if (error instanceof InvalidParametersError) return error.faults;
          throw error;
        }
      }),
    );
    return faults.flat();
  }
}
