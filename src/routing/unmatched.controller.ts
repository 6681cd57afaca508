import { All, Controller, Req, VERSION_NEUTRAL } from '@nestjs/common';
import type { Request } from 'express';
import { ApiError } from '../common/errors/api-error.js';
import { ANY_PATH, methodsAt } from './operations.js';

/**
 * Takes what no operation takes. As a route like any other it stands behind the same guards: without
 * a key, a path that does not exist answers 401 as every path does (interface 5.5).
 */
@Controller({ version: VERSION_NEUTRAL })
export class UnmatchedController {
  @All(ANY_PATH)
  refuse(@Req() request: Request): never {
    const methods = methodsAt(request.app, request.path);
    if (methods.length === 0) throw new ApiError('not_found', 'There is no such path.');
    const allow = methods.join(', ');
    throw new ApiError('method_not_allowed', `This path answers ${allow} only.`, { Allow: allow });
  }
}
