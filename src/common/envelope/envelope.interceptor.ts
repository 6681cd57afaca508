import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { Request } from 'express';
import { mergeMap, of, type Observable } from 'rxjs';
import type { Answer } from './envelope.js';
import { NotModified, RenderedAnswer, renderAnswer } from './rendered-answer.js';

type Sendable = RenderedAnswer | NotModified;

/** Puts what a controller answers into the envelope (interface 2.1). */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor<Answer | Sendable, Sendable> {
  intercept(context: ExecutionContext, next: CallHandler<Answer | Sendable>): Observable<Sendable> {
    const request = context.switchToHttp().getRequest<Request>();
    return next
      .handle()
      .pipe(
        mergeMap((answer) =>
          answer instanceof RenderedAnswer || answer instanceof NotModified
            ? of(answer)
            : renderAnswer(request, answer),
        ),
      );
  }
}
