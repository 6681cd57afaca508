import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { Request } from 'express';
import { catchError, type Observable } from 'rxjs';
import { InvalidParametersError, ParametersPipe } from '../validation/parameters.pipe.js';
import { requestInputsOf, type RequestInput } from '../validation/request-inputs.js';

/** Nest's names for the parts of a request. */
const NEST_NAMES = { path: 'param', query: 'query', body: 'body' } as const;

/**
 * Reports the errors of path, query and body in one answer. Nest reports only the first part that
 * fails; this interceptor then validates all parts again.
 */
@Injectable()
export class AllFaultsInterceptor implements NestInterceptor {
  private readonly inputs = new WeakMap<object, readonly RequestInput[]>();

  constructor(private readonly pipe: ParametersPipe) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const inputs = this.inputsOf(context);
    if (inputs.length < 2) return next.handle();
    return next.handle().pipe(
      catchError(async (error: unknown) => {
        if (!(error instanceof InvalidParametersError)) throw error;
        const request = context.switchToHttp().getRequest<Request>();
        throw new InvalidParametersError(await this.faultsOf(request, inputs));
      }),
    );
  }

  private inputsOf(context: ExecutionContext): readonly RequestInput[] {
    const handler = context.getHandler();
    const inputs = this.inputs.get(handler) ?? requestInputsOf(context.getClass(), handler.name);
    this.inputs.set(handler, inputs);
    return inputs;
  }

  private async faultsOf(request: Request, inputs: readonly RequestInput[]): Promise<string[]> {
    const sent = { path: request.params, query: request.query, body: request.body as unknown };
    const faults = await Promise.all(
      inputs.map(async ({ from, type: metatype }) => {
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
