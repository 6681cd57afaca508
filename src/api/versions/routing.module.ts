import { Module, Controller, Get, Req, VERSION_NEUTRAL } from '@nestjs/common';
import type { Request } from 'express';
import { UnmatchedController } from './unmatched.controller.js';
import { API_VERSIONS, LEDGER_PATH, VENDOR_VERSIONS, versionOfPath } from './api-versions.js';
import type { Answer } from '../envelope/envelope.js';
import { ApiError } from '../errors/api-error.js';
import { ACCESSES } from '../access/principal.js';
import { AllowAccess, ApiOperation } from './api-operation.js';
import { operationsOf } from './operations.js';

/** Answers `GET /v3.0`, `/v2.1` and `/v2.0`. Existing clients use it to check a key. */
@Controller({ version: [...VENDOR_VERSIONS] })
class VersionController {
  @Get()
  @ApiOperation({
    id: 'describeVersion',
    summary: 'Describe the version',
    description:
      'Returns the version, its status and its operations. Use it to check that a key works.',
  })
  describe(@Req() request: Request): Answer {
    const described = describeVersion(request);
    if (described.operations.length === 0) {
      throw new ApiError('not_found', 'This path does not exist.');
    }
    return { results: [described] };
  }
}

/** Answers `GET /ledger/v1`, for every valid key. */
@Controller({ path: LEDGER_PATH, version: VERSION_NEUTRAL })
class LedgerVersionController {
  @Get()
  @AllowAccess(...ACCESSES)
  @ApiOperation({
    id: 'describeVersion',
    summary: 'Describe the interface',
    description:
      'Returns the version, its status and its operations. Use it to check that a key works, the key of a source, too.',
  })
  describe(@Req() request: Request): Answer {
    return { results: [describeVersion(request)] };
  }
}

function describeVersion({ app, path: requested }: Request) {
  const version = versionOfPath(requested);
  const { path, status } = API_VERSIONS[version];
  const operations = operationsOf(app).filter((operation) => operation.path.startsWith(`${path}/`));
  return { version, status, operations };
}

@Module({ controllers: [VersionController, LedgerVersionController, UnmatchedController] })
export class RoutingModule {}
