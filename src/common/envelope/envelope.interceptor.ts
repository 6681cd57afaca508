import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { Request } from 'express';
import { map, type Observable } from 'rxjs';
import type { Answer } from './envelope.js';
import { NotModified, RenderedAnswer, renderAnswer } from './rendered-answer.js';

type Sendable = RenderedAnswer | NotModified | Promise<RenderedAnswer | NotModified>;

/** Puts what a controller answers into the envelope (interface 2.1). */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor<Answer | Sendable, Sendable> {
  intercept(context: ExecutionContext, next: CallHandler<Answer | Sendable>): Observable<Sendable> {
    const request = context.switchToHttp().getRequest<Request>();
    // Nest waits for a promise in an Observable, and with less ado than an operator of RxJS.
    return next
      .handle()
      .pipe(map((answer) => (isSendable(answer) ? answer : renderAnswer(request, answer))));
  }
}

function isSendable(answer: Answer | Sendable): answer is Sendable {
  return (
    answer instanceof RenderedAnswer || answer instanceof NotModified || answer instanceof Promise
  );
}
