import { isIP } from 'node:net';
import {
  Controller,
  HttpCode,
  Injectable,
  Post,
  Req,
  UseGuards,
  VERSION_NEUTRAL,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import type { Request, Response as ServiceResponse } from 'express';
import { CurrentPrincipal, USER_ACCESSES, type Principal } from '../../api/access/principal.js';
import { JSON_TYPE, SendableAnswer } from '../../api/envelope/rendered-answer.js';
import { ApiError } from '../../api/errors/api-error.js';
import { setFailure, type Failure } from '../../api/errors/catalogue.js';
import { INVALID_PARAMETERS, statusOf } from '../../api/errors/json-rpc.js';
import { AllowAccess, BearerKeys } from '../../api/versions/api-operation.js';
import { MCP_PATH } from '../../api/versions/api-versions.js';
import { Settings } from '../../config/settings.js';
import { isRecord, recordIn } from '../../platform/values/is-record.js';
import { serviceUrlOf } from '../../platform/values/service-url.js';
import { McpService } from './mcp.service.js';

/**
 * Rejects requests of web pages of other origins, and bodies that are not JSON. It runs after the
 * check of the key and before the body is read.
 */
@Injectable()
export class McpRequestGuard implements CanActivate {
  constructor(private readonly settings: Settings) {}

  canActivate(context: ExecutionContext): true {
    const request = context.switchToHttp().getRequest<Request>();
    const { origin } = request.headers;
    if (origin !== undefined && !this.isOwn(origin, request)) {
      throw new ApiError('forbidden', 'Web pages of other origins cannot call this server.');
    }
    if (request.is('json') !== 'json') {
      throw new ApiError('bad_request', 'Send a message of JSON-RPC as application/json.');
    }
    return true;
  }

  /**
   * Returns true for the origin of this service. Without PUBLIC_URL, a name in the Host header
   * proves nothing, since the owner of any name can let it point to this service.
   */
  private isOwn(origin: string, request: Request): boolean {
    const { publicUrl } = this.settings;
    const own = new URL(serviceUrlOf(publicUrl, request));
    const isSure = publicUrl !== null || isAddress(own.hostname);
    return isSure && own.origin === origin;
  }
}

/** Returns true for localhost, and for a host of a URL that is an IP address. */
function isAddress(hostname: string): boolean {
  return hostname === 'localhost' || isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0;
}

const FIRST_ERROR = 400;

/** Sends what the protocol answers. */
class RpcAnswer extends SendableAnswer {
  constructor(
    private readonly status: number,
    private readonly type: string,
    private readonly answer: CatalogedAnswer,
  ) {
    super();
  }

  override send(response: ServiceResponse): void {
    const { body, failure } = this.answer;
    response.status(this.status);
    if (this.status >= FIRST_ERROR) setFailure(response, failure);
    if (body === '') response.end();
    else response.type(this.type).send(body);
  }
}

/** Serves the Model Context Protocol at `POST /mcp`. See docs/mcp.md. */
@Controller({ path: MCP_PATH, version: VERSION_NEUTRAL })
export class McpController {
  constructor(private readonly mcp: McpService) {}

  @Post()
  @HttpCode(200)
  @AllowAccess(...USER_ACCESSES)
  @BearerKeys()
  @UseGuards(McpRequestGuard)
  async answer(
    @CurrentPrincipal() principal: Principal,
    @Req() request: Request,
  ): Promise<RpcAnswer> {
    const message: unknown = request.body;
    if (!isRecord(message)) {
      throw new ApiError('bad_request', 'Send one message of JSON-RPC, not a list.');
    }
    const response = await this.mcp.answer({ request, principal }, message);
    const type = response.headers.get('content-type') ?? JSON_TYPE;
    return new RpcAnswer(response.status, type, cataloged(await response.text()));
  }
}

interface CatalogedAnswer {
  readonly body: string;
  /** Failure of an error that the protocol itself has found. */
  readonly failure: Failure;
}

/** Failures of the catalogue for errors that the protocol itself finds. */
const FAILURES: Readonly<Record<string, Failure>> = {
  '-32601': 'not_found',
  '-32602': 'invalid_parameters',
};
/** The package answers it for wrong parameters of its own methods. Other errors never get here. */
const INTERNAL = -32_603;

/** Adds the status of the catalogue to an error that has none. */
function cataloged(body: string): CatalogedAnswer {
  const answer = recordIn(body);
  const { error } = answer ?? {};
  if (!isRecord(error)) return { body, failure: 'bad_request' };
  const data = isRecord(error.data) ? error.data : {};
  const code = error.code === INTERNAL ? INVALID_PARAMETERS : error.code;
  const failure = FAILURES[String(code)] ?? 'bad_request';
  if (typeof data.code === 'number') return { body, failure };
  const detail = typeof error.message === 'string' ? error.message : null;
  const status = statusOf({ failure, detail });
  return {
    body: JSON.stringify({ ...answer, error: { ...error, code, data: { ...data, ...status } } }),
    failure,
  };
}
