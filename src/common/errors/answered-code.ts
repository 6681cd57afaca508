import type { ServerResponse } from 'node:http';
import { CATALOGUE, type Failure } from './catalogue.js';

const codes = new WeakMap<ServerResponse, number>();

/** Sets the status of an error, and keeps its internal code for the log and the metrics. */
export function setFailure(response: ServerResponse, failure: Failure): void {
  const { http_status_code, code } = CATALOGUE[failure];
  response.statusCode = http_status_code;
  codes.set(response, code);
}

/** Returns the internal code of a response, as in CATALOGUE. */
export function internalCodeOf(response: ServerResponse): number {
  const { success, no_content } = CATALOGUE;
  const isEmpty = response.statusCode === no_content.http_status_code;
  return codes.get(response) ?? (isEmpty ? no_content.code : success.code);
}
