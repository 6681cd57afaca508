import { Injectable } from '@nestjs/common';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Request } from 'express';
import type { Principal } from '../../api/access/principal.js';
import {
  rpcErrorOf,
  statusOf,
  type FailureStatus,
  type RpcError,
} from '../../api/errors/json-rpc.js';
import { callOperation, type InternalAnswer } from '../../api/access/internal-call.js';
import { ApiError } from '../../api/errors/api-error.js';
import { isRecord, recordIn } from '../../platform/values/is-record.js';
import {
  inputSchemaOf,
  OFFSET,
  offsetParameter,
  OperationDescriptions,
  type ToolParameter,
} from './tool-schemas.js';
import { isVisible, READING_TOOLS, type ReadingTool } from './tools.js';
import { pageResult, resultOf, type Page } from './tool-result.js';

/** Number of results of a page, if the client names none, and of the first attempt. */
const PAGE = { default: 20, first: 50 } as const;

/** Ends the call of a tool with an error of JSON-RPC. */
export class ToolFailure extends Error {
  constructor(
    readonly error: RpcError,
    /** Value of `Retry-After`, if the call may succeed later. */
    readonly retryAfter: string | null = null,
  ) {
    super(error.message);
  }
}

/** A tool with the parameters that it takes. */
interface PreparedTool {
  readonly tool: ReadingTool;
  readonly parameters: readonly ToolParameter[];
}

/** Arguments of a call, as text by name. */
type Arguments = ReadonlyMap<string, string>;

/** Describes a caller: the request that carries the call, and whose key it has. */
export interface ToolCaller {
  readonly request: Request;
  readonly principal: Principal;
}

/** Lists and runs the tools. Each runs an operation of the API for the caller. */
@Injectable()
export class ToolsService {
  private readonly tools: readonly PreparedTool[];

  /** Reads the parameters of all tools from the OpenAPI documents. */
  constructor() {
    const descriptions = new OperationDescriptions();
    this.tools = READING_TOOLS.map((tool) => {
      const own = descriptions.parametersOf(tool);
      return { tool, parameters: tool.pages === 'offset' ? [...own, offsetParameter()] : own };
    });
  }

  /** Returns the tools that the caller may use, as `tools/list` shows them. */
  listFor({ access }: Principal) {
    return this.tools
      .filter(({ tool }) => isVisible(tool, access))
      .map(({ tool: { name, title, description }, parameters }) => ({
        name,
        title,
        description,
        inputSchema: inputSchemaOf(parameters),
        annotations: {
          title,
          readOnlyHint: true,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: false,
        },
      }));
  }

  /**
   * Runs a tool.
   * @param given its arguments, as the client sent them
   * @throws ToolFailure
   */
  async call(caller: ToolCaller, name: string, given: unknown): Promise<CallToolResult> {
    const found = this.tools.find(({ tool }) => tool.name === name);
    if (found === undefined) throw failureOf(new ApiError('not_found', 'There is no such tool.'));
    if (!isVisible(found.tool, caller.principal.access)) {
      const detail = `A key with ${caller.principal.access} access cannot use this tool.`;
      throw failureOf(new ApiError('insufficient_access', detail));
    }
    const sent = argumentsOf(found.parameters, given);
    if (found.tool.pages === 'limit') return callPaged(caller, found, sent);
    const offset = found.tool.pages === 'none' ? null : Number(sent.get(OFFSET) ?? 0);
    const result = resultOf(await answerOf(caller, found, sent), offset);
    if (result === null) throw failureOf(tooLarge());
    return result;
  }
}

/** Calls an operation with pages, with a smaller page until the result is small enough. */
async function callPaged(caller: ToolCaller, tool: PreparedTool, sent: Arguments) {
  const wanted = sent.get('limit') ?? String(PAGE.default);
  // The operation rejects a number that is out of range.
  let limit = isInRange(wanted, tool) ? String(Math.min(Number(wanted), PAGE.first)) : wanted;
  for (;;) {
    const page = await answerOf(caller, tool, new Map([...sent, ['limit', limit]]));
    const { result, fitting } = pageResult(page, limit === wanted ? null : Number(limit));
    if (result !== null) return result;
    if (page.results.length <= 1) throw failureOf(tooLarge());
    limit = String(Math.min(fitting, page.results.length - 1));
  }
}

function isInRange(text: string, { parameters }: PreparedTool): boolean {
  const maximum = parameters.find(({ name }) => name === 'limit')?.schema.maximum;
  return /^[1-9]\d{0,5}$/.test(text) && Number(text) <= Number(maximum);
}

function tooLarge(): ApiError {
  return new ApiError(
    'invalid_parameters',
    'One result is larger than an answer of a tool may be; read it with the operation of the API.',
  );
}

/**
 * Checks the names of the arguments, and that each is a single value. The operation checks the
 * values.
 * @throws ToolFailure
 */
function argumentsOf(parameters: readonly ToolParameter[], given: unknown): Arguments {
  if (given !== undefined && !isRecord(given)) throw invalid('The arguments must be an object.');
  const sent = Object.entries(given ?? {}).filter(([, value]) => value !== null);
  const values = sent.map(([name, value]): [string, string] => {
    const parameter = parameters.find((each) => each.name === name);
    if (parameter === undefined) throw invalid(unknownArgument(name));
    if (typeof value === 'string') return [name, value];
    if (typeof value === 'number' || typeof value === 'boolean') return [name, String(value)];
    throw invalid(`${name} must be a single value.`);
  });
  const known = new Map(values);
  const isMissing = ({ name, isRequired }: ToolParameter) =>
    isRequired && (known.get(name) ?? '') === '';
  const missing = parameters.find(isMissing);
  if (missing !== undefined) throw invalid(`${missing.name} is required.`);
  const offset = known.get(OFFSET) ?? '0';
  if (parameters.some(({ name }) => name === OFFSET) && !/^\d{1,8}$/.test(offset)) {
    throw invalid(`${OFFSET} must be a whole number.`);
  }
  return known;
}

const MAX_NAME_LENGTH = 40;

function unknownArgument(name: string): string {
  return name.length > MAX_NAME_LENGTH
    ? 'This tool has no parameter with such a long name.'
    : `This tool has no parameter ${JSON.stringify(name)}.`;
}

function invalid(detail: string): ToolFailure {
  return failureOf(new ApiError('invalid_parameters', detail));
}

export function failureOf(error: ApiError): ToolFailure {
  return new ToolFailure(rpcErrorOf(statusOf(error)), error.headers['Retry-After'] ?? null);
}

/** @throws ToolFailure for an error of the operation */
async function answerOf(
  { request, principal }: ToolCaller,
  { tool, parameters }: PreparedTool,
  sent: Arguments,
): Promise<Page> {
  const target = targetOf(tool.operation.path, parameters, sent);
  return readAnswer(await callOperation(request, principal, { method: 'GET', target }));
}

/** Returns the path and the query of the operation. */
function targetOf(template: string, parameters: readonly ToolParameter[], sent: Arguments): string {
  const query = new URLSearchParams();
  let path = template;
  for (const { name, place } of parameters) {
    const value = sent.get(name)?.toWellFormed();
    if (value === undefined || name === OFFSET) continue;
    if (place === 'path') path = path.replace(`{${name}}`, () => encodeURIComponent(value));
    else query.set(name, value);
  }
  const text = query.toString();
  return text === '' ? path : `${path}?${text}`;
}

/**
 * Reads the envelope of an answer.
 * @throws ToolFailure for an error
 */
export function readAnswer({ body, retryAfter }: InternalAnswer): Page {
  const envelope = recordIn(body);
  const { meta, results } = envelope ?? {};
  if (!isRecord(meta) || !Array.isArray(results)) throw new Error('an answer has no envelope');
  const { status, ...rest } = meta;
  if (!isStatus(status)) throw new Error('an answer has no status');
  if (status.http_status_code >= 400) throw new ToolFailure(rpcErrorOf(status), retryAfter);
  const facts = Object.entries(rest).filter(([name]) => name !== 'api_version');
  return { results, facts: Object.fromEntries(facts) };
}

function isStatus(value: unknown): value is FailureStatus {
  return isRecord(value) && typeof value.http_status_code === 'number';
}
