import {
  applyDecorators,
  Injectable,
  SetMetadata,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { compile, type ParamData, type PathFunction } from 'path-to-regexp';
import { tap, type Observable } from 'rxjs';
import { Settings } from '../../config/settings.js';

export const SUCCESSOR = 'successor-version';

/**
 * Links to the newer equivalent of an operation at another path. The older operation is not
 * deprecated.
 * @param path path of the equivalent, with the parameters of this operation
 */
export function SuccessorVersion(path: string): MethodDecorator {
  return applyDecorators(
    SetMetadata(SUCCESSOR, compile(path)),
    UseInterceptors(SuccessorVersionInterceptor),
  );
}

/** Sets the `Link` header of RFC 5829. */
@Injectable()
class SuccessorVersionInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly settings: Settings,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const targetOf = this.reflector.get<PathFunction<ParamData>>(SUCCESSOR, context.getHandler());
    const http = context.switchToHttp();
    const target = this.settings.basePath + targetOf(http.getRequest<Request>().params);
    // The header is set only on success, since all 404 answers must look the same.
    return next.handle().pipe(
      tap(() => {
        http.getResponse<Response>().setHeader('Link', `<${target}>; rel="${SUCCESSOR}"`);
      }),
    );
  }
}
