import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import { API_VERSIONS, VERSIONS, versionOfPath } from '../common/api-versions.js';
import type { Answer } from '../common/envelope/envelope.js';
import { ApiError } from '../common/errors/api-error.js';
import { ApiOperation } from './api-operation.js';
import { operationsOf } from './operations.js';

/** `GET /v3.0` and so on. Existing clients check a key with it. */
@Controller({ version: [...VERSIONS] })
export class VersionController {
  @Get()
  @ApiOperation({
    id: 'describeVersion',
    summary: 'Describe the version',
    description:
      'Returns the version, its status and its operations. Use it to check that a key works.',
  })
  describe(@Req() request: Request): Answer {
    const version = versionOfPath(request.path);
    const prefix = `/v${version}/`;
    const operations = operationsOf(request.app).filter(({ path }) => path.startsWith(prefix));
    if (operations.length === 0) throw new ApiError('not_found', 'This path does not exist.');
    return { results: [{ version, status: API_VERSIONS[version].status, operations }] };
  }
}
