import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { Request } from 'express';
import { map, type Observable } from 'rxjs';
import { versionOfPath } from '../api-versions.js';
import { successEnvelope, type Answer, type Envelope } from './envelope.js';

/** Puts what a controller answers into the envelope (interface 2.1). */
@Injectable()
export class EnvelopeInterceptor implements NestInterceptor<Answer, Envelope> {
  intercept(context: ExecutionContext, next: CallHandler<Answer>): Observable<Envelope> {
    const version = versionOfPath(context.switchToHttp().getRequest<Request>().path);
    return next.handle().pipe(map((answer) => successEnvelope(version, answer)));
  }
}
