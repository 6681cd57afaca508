import type { ServerResponse } from 'node:http';
import { CATALOGUE } from './catalogue.js';

const codes = new WeakMap<ServerResponse, number>();

/** Notes the internal code of an answer that is an error, for the log and the metrics. */
export function noteCode(response: ServerResponse, code: number): void {
  codes.set(response, code);
}

/** The internal code (interface 7) that an answer told. */
export function answeredCode(response: ServerResponse): number {
  const { success, no_content } = CATALOGUE;
  const isEmpty = response.statusCode === no_content.http_status_code;
  return codes.get(response) ?? (isEmpty ? no_content.code : success.code);
}
