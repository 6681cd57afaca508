import {
  Controller,
  Get,
  Module,
  Req,
  VERSION_NEUTRAL,
  type DynamicModule,
  type Type,
} from '@nestjs/common';
import type { Request } from 'express';
import { UnmatchedController } from './unmatched.controller.js';
import {
  API_VERSIONS,
  isCoreVersion,
  LEDGER_PATH,
  VENDOR_VERSIONS,
  versionOfPath,
} from './api-versions.js';
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

/** Returns a controller that answers at the path of a version of an extension. */
function controllerOf(path: string): Type {
  @Controller({ path, version: VERSION_NEUTRAL })
  class ExtensionVersionController {
    @Get()
    @ApiOperation({
      id: 'describeVersion',
      summary: 'Describe the version',
      description:
        'Returns the version, its status and its operations. Use it to check that a key works.',
    })
    describe(@Req() { app, path: requested }: Request): Answer {
      const version = versionOfPath(requested);
      return { results: [{ version, status: 'current', operations: operationsBelow(app, path) }] };
    }
  }
  return ExtensionVersionController;
}

function describeVersion({ app, path: requested }: Request) {
  const version = versionOfPath(requested);
  if (!isCoreVersion(version)) throw new Error(`${version} is not a version of the service`);
  const { path, status } = API_VERSIONS[version];
  const operations = operationsBelow(app, path);
  return { version, status, operations };
}

function operationsBelow(app: Request['app'], path: string) {
  return operationsOf(app).filter((operation) => operation.path.startsWith(`${path}/`));
}

@Module({ controllers: [VersionController, LedgerVersionController, UnmatchedController] })
export class RoutingModule {
  /** @param paths paths of the versions of extensions, such as `/extensions/notes/v1` */
  static of(paths: readonly string[]): DynamicModule {
    return { module: RoutingModule, controllers: paths.map(controllerOf) };
  }
}
