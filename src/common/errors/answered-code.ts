import type { ServerResponse } from 'node:http';
import { CATALOGUE, type Failure } from './catalogue.js';

const codes = new WeakMap<ServerResponse, number>();

/** Gives an answer the status of an error, and notes its internal code for the log and the metrics. */
export function setFailure(response: ServerResponse, failure: Failure): void {
  const { http_status_code, code } = CATALOGUE[failure];
  response.statusCode = http_status_code;
  codes.set(response, code);
}

/** The internal code (interface 7) that an answer told. */
export function answeredCode(response: ServerResponse): number {
  const { success, no_content } = CATALOGUE;
  const isEmpty = response.statusCode === no_content.http_status_code;
  return codes.get(response) ?? (isEmpty ? no_content.code : success.code);
}
