import { isRecord } from '../../platform/values/is-record.js';
import type { ApiError } from './api-error.js';
import { CATALOGUE } from './catalogue.js';

/** Codes of JSON-RPC 2.0. */
const INVALID_REQUEST = -32_600;
export const INVALID_PARAMETERS = -32_602;
const INTERNAL_ERROR = -32_603;
const SERVER_ERROR = -32_000;

/** Describes a failure as `meta.status` of the envelope does. */
export interface FailureStatus {
  readonly http_status_code: number;
  readonly code: number;
  readonly message: string;
  readonly detail: string | null;
}

/** Represents an error of JSON-RPC. Its `data` has the code of the catalogue. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data: FailureStatus;
}

export function statusOf({ failure, detail }: Pick<ApiError, 'failure' | 'detail'>): FailureStatus {
  return { ...CATALOGUE[failure], detail };
}

export function rpcErrorOf(status: FailureStatus): RpcError {
  const { message, detail } = status;
  return {
    code: rpcCodeOf(status),
    message: detail === null ? message : `${message}: ${detail}`,
    data: status,
  };
}

function rpcCodeOf({ code, http_status_code }: FailureStatus): number {
  if (code === CATALOGUE.invalid_parameters.code) return INVALID_PARAMETERS;
  if (http_status_code === CATALOGUE.bad_request.http_status_code) return INVALID_REQUEST;
  return http_status_code === CATALOGUE.internal_error.http_status_code
    ? INTERNAL_ERROR
    : SERVER_ERROR;
}

/**
 * Returns the body of an error response to a message of JSON-RPC.
 * @param message the message as it was parsed, if it could be
 */
export function jsonRpcError(error: ApiError, message: unknown): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    id: rpcIdOf(message),
    error: rpcErrorOf(statusOf(error)),
  });
}

/** Returns the id of a message, or null if it has none. */
export function rpcIdOf(message: unknown): string | number | null {
  if (!isRecord(message)) return null;
  const { id } = message;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

/**
 * Removes the challenge of HTTP authentication. A client of the protocol would read it as an
 * invitation to OAuth, and a browser would ask for a password.
 */
export function withoutChallenge(headers: ApiError['headers']): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => name !== 'WWW-Authenticate');
  return Object.fromEntries(kept);
}
