import { Injectable } from '@nestjs/common';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Principal } from '../../api/access/principal.js';
import { callOperation } from '../../api/access/internal-call.js';
import { ApiError } from '../../api/errors/api-error.js';
import {
  argumentsOf,
  failureOf,
  readAnswer,
  targetOf,
  ToolFailure,
  type Arguments,
  type ToolCaller,
} from './tool-calls.js';
import {
  listed,
  OFFSET,
  offsetParameter,
  OperationDescriptions,
  type ToolWithParameters,
} from './tool-schemas.js';
import { INVALID_PARAMETERS } from '../../api/errors/json-rpc.js';
import { isVisible, mayWrite, READING_TOOLS, type ReadingTool } from './tools.js';
import { pageResult, resultOf, type Page } from './tool-result.js';
import { WritingToolsService } from './writing-tools.service.js';

/** Number of results of a page, if the client names none, and of the first attempt. */
const PAGE = { default: 20, first: 50 } as const;

const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true } as const;

type PreparedTool = ToolWithParameters<ReadingTool>;

/** Lists and runs the tools. Each runs an operation of the API for the caller. */
@Injectable()
export class ToolsService {
  private readonly tools: readonly PreparedTool[];

  /** Reads the parameters of all tools from the OpenAPI documents. */
  constructor(private readonly writing: WritingToolsService) {
    const descriptions = new OperationDescriptions();
    this.tools = READING_TOOLS.map((tool) => {
      const own = descriptions.parametersOf(tool);
      return { tool, parameters: tool.pages === 'offset' ? [...own, offsetParameter()] : own };
    });
  }

  /** Returns the tools that the caller may use, as `tools/list` shows them. */
  listFor(principal: Principal) {
    const reading = this.tools
      .filter(({ tool }) => isVisible(tool, principal.access))
      .map((tool) => listed(tool, READS));
    return [...reading, ...(mayWrite(principal) ? this.writing.list() : [])];
  }

  /**
   * Runs a tool.
   * @param given its arguments, as the client sent them
   * @throws ToolFailure
   */
  async call(caller: ToolCaller, name: string, given: unknown): Promise<CallToolResult> {
    if (this.writing.has(name)) return this.writing.call(caller, name, given);
    const found = this.tools.find(({ tool }) => tool.name === name);
    if (found === undefined) throw unknownTool();
    if (!isVisible(found.tool, caller.principal.access)) {
      const detail = `A key with ${caller.principal.access} access cannot use this tool.`;
      throw failureOf(new ApiError('insufficient_access', detail));
    }
    const sent = argumentsOf(found.parameters, given);
    if (found.tool.pages === 'limit') return callPaged(caller, found, sent);
    const offset = found.tool.pages === 'none' ? null : Number(sent.get(OFFSET) ?? 0);
    return resultOf(await answerOf(caller, found, sent), offset);
  }
}

/** The protocol demands the code of invalid parameters. */
function unknownTool(): ToolFailure {
  const error = new ApiError('not_found', 'There is no such tool.');
  return new ToolFailure({ ...failureOf(error).error, code: INVALID_PARAMETERS });
}

/** Calls an operation with pages, with a smaller page until the result is small enough. */
async function callPaged(caller: ToolCaller, tool: PreparedTool, sent: Arguments) {
  const wanted = String(sent.get('limit') ?? PAGE.default);
  // The operation rejects a number that is out of range.
  let limit = isInRange(wanted, tool) ? String(Math.min(Number(wanted), PAGE.first)) : wanted;
  for (;;) {
    const page = await answerOf(caller, tool, new Map([...sent, ['limit', limit]]));
    const { result, fitting } = pageResult(page, limit === wanted ? null : Number(limit));
    if (result !== null) return result;
    if (page.results.length <= 1) return resultOf(page, null);
    limit = String(Math.min(fitting, page.results.length - 1));
  }
}

function isInRange(text: string, { parameters }: PreparedTool): boolean {
  const maximum = parameters.find(({ name }) => name === 'limit')?.schema.maximum;
  return /^[1-9]\d{0,5}$/.test(text) && Number(text) <= Number(maximum);
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
