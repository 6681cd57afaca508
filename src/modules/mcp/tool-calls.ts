import type { Request } from 'express';
import type { InternalAnswer } from '../../api/access/internal-call.js';
import type { Principal } from '../../api/access/principal.js';
import { ApiError } from '../../api/errors/api-error.js';
import {
  rpcErrorOf,
  statusOf,
  type FailureStatus,
  type RpcError,
} from '../../api/errors/json-rpc.js';
import { isRecord, recordIn } from '../../platform/values/is-record.js';
import { OFFSET, type ToolParameter } from './tool-schemas.js';
import type { Page } from './tool-result.js';

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

type Value = string | number | boolean | null;

/** Arguments of a call by name. Null is only there for a field of a body, which it clears. */
export type Arguments = ReadonlyMap<string, Value>;

/** Describes a caller: the request that carries the call, and whose key it has. */
export interface ToolCaller {
  readonly request: Request;
  readonly principal: Principal;
}

/**
 * Checks the names of the arguments, and that each is a single value. The operation checks the
 * values.
 * @throws ToolFailure
 */
export function argumentsOf(parameters: readonly ToolParameter[], given: unknown): Arguments {
  if (given !== undefined && !isRecord(given)) throw invalid('The arguments must be an object.');
  const values = Object.entries(given ?? {}).flatMap(([name, value]): [string, Value][] => {
    const parameter = parameters.find((each) => each.name === name);
    if (value === null && parameter?.place !== 'body') return [];
    if (parameter === undefined) throw invalid(unknownArgument(name));
    if (!isValue(value)) throw invalid(`${name} must be a single value.`);
    return [[name, value]];
  });
  const known = new Map(values);
  const isMissing = ({ name, isRequired }: ToolParameter) =>
    isRequired && (known.get(name) ?? '') === '';
  const missing = parameters.find(isMissing);
  if (missing !== undefined) throw invalid(`${missing.name} is required.`);
  const offset = String(known.get(OFFSET) ?? 0);
  if (parameters.some(({ name }) => name === OFFSET) && !/^\d{1,8}$/.test(offset)) {
    throw invalid(`${OFFSET} must be a whole number.`);
  }
  return known;
}

function isValue(value: unknown): value is Value {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

const MAX_NAME_LENGTH = 40;

function unknownArgument(name: string): string {
  return name.length > MAX_NAME_LENGTH
    ? 'This tool has no parameter with such a long name.'
    : `This tool has no parameter ${JSON.stringify(name)}.`;
}

export function invalid(detail: string): ToolFailure {
  return failureOf(new ApiError('invalid_parameters', detail));
}

export function failureOf(error: ApiError): ToolFailure {
  return new ToolFailure(rpcErrorOf(statusOf(error)), error.headers['Retry-After'] ?? null);
}

/** Returns the path and the query of the operation. */
export function targetOf(
  template: string,
  parameters: readonly ToolParameter[],
  sent: Arguments,
): string {
  const query = new URLSearchParams();
  let path = template;
  for (const { name, place } of parameters) {
    const given = sent.get(name);
    if (given === undefined) continue;
    const value = String(given).toWellFormed();
    if (place === 'path') path = path.replace(`{${name}}`, () => encodeURIComponent(value));
    else if (place === 'query') query.set(name, value);
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
