import { All, Controller, Req, VERSION_NEUTRAL } from '@nestjs/common';
import type { Request } from 'express';
import { ApiError } from '../errors/api-error.js';
import { BearerKeys } from './api-operation.js';
import { MCP_PATH } from './api-versions.js';
import { ANY_PATH, methodsAt } from './operations.js';

/**
 * Answers requests that match no operation. The guards apply here too: without a key, an unknown
 * path answers 401 like every other path.
 */
@Controller({ version: VERSION_NEUTRAL })
export class UnmatchedController {
  /** Clients of this path try other methods with the same Bearer key. */
  @All(`${MCP_PATH}${ANY_PATH}`)
  @BearerKeys()
  refuseAtMcp(@Req() request: Request): never {
    this.refuse(request);
  }

  @All(ANY_PATH)
  refuse(@Req() request: Request): never {
    const methods = methodsAt(request.app, request.path);
    if (methods.length === 0) throw new ApiError('not_found', 'This path does not exist.');
    const allow = methods.join(', ');
    throw new ApiError('method_not_allowed', `This path supports only ${allow}.`, { Allow: allow });
  }
}
