import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { callOperation } from '../../api/access/internal-call.js';
import type { Principal } from '../../api/access/principal.js';
import { ApiError } from '../../api/errors/api-error.js';
import { isRecord } from '../../platform/values/is-record.js';
import { formatDateTime } from '../../platform/values/time.js';
import { AffiliatesService } from '../affiliates/index.js';
import { ConfirmationsService } from './confirmations/confirmations.service.js';
import {
  argumentsOf,
  failureOf,
  invalid,
  readAnswer,
  targetOf,
  type Arguments,
  type ToolCaller,
} from './tool-calls.js';
import { dataResult, fittingResult } from './tool-result.js';
import {
  listed,
  OperationDescriptions,
  type ToolParameter,
  type ToolWithParameters,
} from './tool-schemas.js';
import { mayWrite, WRITING_TOOLS, type WritingTool } from './tools.js';

const TOKEN = 'confirmation_token';
const TOKEN_PARAMETER: ToolParameter = {
  name: TOKEN,
  place: 'tool',
  isRequired: false,
  schema: {
    type: 'string',
    maxLength: 100,
    description: 'Token of the first call with the same arguments. It works once, for 5 minutes.',
  },
};
const NOT_FOUND = 404;

const WRITES = { readOnlyHint: false, destructiveHint: true, idempotentHint: true } as const;

/** A call that would change something. */
interface Change {
  readonly target: string;
  readonly body: object;
  /** Holds what the operation reads at present, or null if there is nothing yet. */
  readonly present: unknown;
}

/** Runs the tools that change something: the first call asks for a confirmation, the second runs. */
@Injectable()
export class WritingToolsService {
  private readonly tools: readonly ToolWithParameters<WritingTool>[];

  constructor(
    private readonly confirmations: ConfirmationsService,
    private readonly affiliates: AffiliatesService,
  ) {
    const descriptions = new OperationDescriptions();
    this.tools = WRITING_TOOLS.map((tool) => {
      const parameters = descriptions.writtenBy(tool);
      const own = parameters.filter(({ place }) => place !== 'body' || tool.body === undefined);
      return { tool, parameters: [...own, TOKEN_PARAMETER] };
    });
  }

  has(name: string): boolean {
    return this.tools.some(({ tool }) => tool.name === name);
  }

  list() {
    return this.tools.map((tool) => listed(tool, WRITES));
  }

  /** @throws ToolFailure */
  async call(caller: ToolCaller, name: string, given: unknown): Promise<CallToolResult> {
    const found = this.tools.find(({ tool }) => tool.name === name);
    if (found === undefined || !mayWrite(caller.principal)) throw failureOf(notAllowed());
    const sent = argumentsOf(found.parameters, given);
    const change = await this.changeOf(caller, found, sent);
    const { application_id, key_hash, user_id } = caller.principal;
    const subject = [application_id, key_hash, name, change];
    const token = sent.get(TOKEN);
    if (token === undefined) return this.ask(change, subject);
    await failing(this.confirmations.use(user_id, String(token), subject));
    const { target, body } = change;
    const put = { method: 'PUT', target, body };
    const { results, facts } = readAnswer(
      await callOperation(caller.request, caller.principal, put),
    );
    return dataResult({ ...facts, results });
  }

  /** @throws ToolFailure if there is nothing to change, or the caller may not read it */
  private async changeOf(
    { request, principal }: ToolCaller,
    { tool, parameters }: ToolWithParameters<WritingTool>,
    sent: Arguments,
  ): Promise<Change> {
    const target = targetOf(tool.operation.path, parameters, sent);
    const fields = parameters.filter(({ place, name }) => place === 'body' && sent.has(name));
    for (const field of fields) checkField(field, sent.get(field.name));
    const body =
      tool.body ?? Object.fromEntries(fields.map(({ name }) => [name, sent.get(name) ?? null]));
    const answer = await callOperation(request, principal, { method: 'GET', target });
    if (answer.status === NOT_FOUND && tool.adds) {
      await this.checkParties(principal, sent);
      return { target, body, present: null };
    }
    const [present] = readAnswer(answer).results;
    checkStatus(tool, present);
    return { target, body, present };
  }

  /**
   * A relationship that is not there yet can be added only for a product and an affiliate that are.
   * @throws ToolFailure
   */
  private async checkParties({ user_id }: Principal, sent: Arguments): Promise<void> {
    const affiliate_id = Number(sent.get('affiliate_id'));
    const product_id = Number(sent.get('product_id'));
    await failing(this.affiliates.knownParties(user_id, { affiliate_id, product_id }));
  }

  private ask({ body, present }: Change, subject: readonly unknown[]): CallToolResult {
    const { token, expires } = this.confirmations.issue(subject);
    const data = { [TOKEN]: token, token_expires: formatDateTime(expires), present, change: body };
    const hint =
      'Nothing was changed yet. Show the user what is there at present and what would change; only if the user agrees, call again with the same arguments and the token.';
    return fittingResult(data, [hint]);
  }
}

/** @throws ToolFailure if what is there has ended */
function checkStatus({ endOf }: WritingTool, present: unknown): void {
  const status = isRecord(present) ? present.status : null;
  const end = typeof status === 'string' ? (endOf?.(status) ?? null) : null;
  if (end !== null) throw invalid(`The status is ${end} already. Nothing was changed.`);
}

/**
 * Checks a value of a body as far as a confirmation needs it. The operation checks all of it.
 * @throws ToolFailure
 */
function checkField({ name, schema }: ToolParameter, value: unknown): void {
  const { enum: allowed, type, minimum, maximum } = schema;
  if (Array.isArray(allowed) && !allowed.some((each) => isDeepStrictEqual(each, value))) {
    throw invalid(`${name} must be one of ${JSON.stringify(allowed)}.`);
  }
  const types = Array.isArray(type) ? type : [type];
  if (value === null || !types.includes('integer')) return;
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  const isWhole = /^\d{1,16}$/.test(text);
  const isInRange = Number(text) >= Number(minimum) && Number(text) <= Number(maximum);
  if (!isWhole || !isInRange) {
    throw invalid(`${name} must be a whole number from ${Number(minimum)} to ${Number(maximum)}.`);
  }
}

/** Turns an error of the API into one of a tool. */
async function failing(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    throw error instanceof ApiError ? failureOf(error) : error;
  }
}

function notAllowed(): ApiError {
  return new ApiError(
    'insufficient_access',
    'This tool needs a key with full access, of an application that lets assistants change data.',
  );
}
