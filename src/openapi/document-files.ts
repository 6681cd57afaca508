import { readFileSync } from 'node:fs';
import type { ApiVersion } from '../common/api-versions.js';
import { isRecord } from '../common/record-fields.js';

/** Beside the code and beside what is built from it. */
const FOLDER = new URL('../../openapi/', import.meta.url);

/** What a version answers, by operation (`GET /v2.1/products/names`) and by the kinds of its parts. */
export type AnswerSchemas = ReadonlyMap<string, unknown>;

/** The file of the document of a version, as it is committed. */
export function documentFile(version: ApiVersion): URL {
  return new URL(`v${version}.json`, FOLDER);
}

/** The schemas of a version, referring to each other as they stand in its document. */
export function readAnswerSchemas(version: ApiVersion): AnswerSchemas {
  const text = readFileSync(new URL(`schemas/v${version}.json`, FOLDER), 'utf8');
  const file: unknown = JSON.parse(text.replaceAll('"#/$defs/', '"#/components/schemas/'));
  if (!isRecord(file) || !isRecord(file.$defs)) throw new Error('a file of schemas has $defs');
  return new Map(Object.entries(file.$defs));
}
