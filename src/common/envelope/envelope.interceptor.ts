import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { Request } from 'express';
import { map, type Observable } from 'rxjs';
import { SendableAnswer, renderAnswer, type RenderableAnswer } from './rendered-answer.js';

type Handled = RenderableAnswer | SendableAnswer;
type Rendered = SendableAnswer | Promise<SendableAnswer>;

/** Wraps the result of a controller in the envelope of `meta` and `results`. */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor<Handled, Rendered> {
  intercept(context: ExecutionContext, next: CallHandler<Handled>): Observable<Rendered> {
    const request = context.switchToHttp().getRequest<Request>();
    // Nest awaits a promise in an Observable at less cost than an RxJS operator does.
    return next
      .handle()
      .pipe(
        map((answer) =>
          answer instanceof SendableAnswer ? answer : renderAnswer(request, answer),
        ),
      );
  }
}
