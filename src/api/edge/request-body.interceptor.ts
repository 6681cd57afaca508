import express, { type Request, type Response } from 'express';
import busboy from 'busboy';
import {
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { from, mergeMap, type Observable } from 'rxjs';
import { ApiError } from '../errors/api-error.js';
import { isError } from '../../platform/errors/is-error.js';
import { hasLenientBody, hasStreamedBody } from '../versions/api-operation.js';
import { UnmatchedController } from '../versions/unmatched.controller.js';
import { allowStreamedBody } from '../server/body-time-limit.js';
import { rejectMalformedUrl } from './prepare-request.js';
import { isRecord } from '../../platform/values/is-record.js';

const WITH_BODY = new Set(['PUT', 'POST', 'PATCH']);
export const BODY_KIB = 16;
export const LIMIT_BYTES = BODY_KIB * 1024;
/**
 * Reads a body of any type, which is checked before. It also decompresses; the limit applies to the
 * decompressed bytes.
 */
const readBytes = express.raw({ limit: LIMIT_BYTES, type: () => true });

/**
 * Checks the URL and parses the body, JSON or a form, unless the operation streams it. It runs
 * after the guards, so only for requests with a valid key, or of an open operation.
 */
@Injectable()
export class RequestBodyInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    rejectMalformedUrl(request);
    if (hasStreamedBody(context.getHandler())) {
      allowStreamedBody(request);
      return next.handle();
    }
    const isUnmatched = context.getClass() === UnmatchedController;
    if (isUnmatched || !WITH_BODY.has(request.method)) return next.handle();
    const read = hasLenientBody(context.getHandler()) ? readLenientBody : readBody;
    return from(read(request, http.getResponse<Response>())).pipe(mergeMap(() => next.handle()));
  }
}

async function readBody(request: Request, response: Response): Promise<void> {
  // Without a body the type is not checked: the answer names the missing fields.
  const type = request.get('Content-Length') === '0' ? null : request.is(['json', FORM]);
  if (type === false) {
    throw new ApiError('bad_request', `Send the body as ${JSON_MEDIA} or as ${FORM}.`);
  }
  request.body = {};
  if (type === null) return;
  const bytes = await bytesOf(request, response).catch((error: unknown) => {
    throw bodyError(error);
  });
  if (bytes === null) return;
  request.body = readBodyFields(bytes, type, request.get('Content-Type') ?? '');
}

/** Accepts a body of any type. Only a body that is too large is rejected. */
async function readLenientBody(request: Request, response: Response): Promise<void> {
  request.body = {};
  const bytes = await bytesOf(request, response).catch((error: unknown) => {
    if (isTooLarge(error)) throw bodyError(error);
    return null;
  });
  const type = request.get('Content-Type') ?? '';
  request.body = bytes === null ? {} : await readAnyFields(bytes, type);
}

/**
 * Reads the bytes of the body.
 * @returns null if there is no body
 */
async function bytesOf(request: Request, response: Response): Promise<Buffer | null> {
  await new Promise<void>((resolve, reject) => {
    readBytes(request, response, (error?: unknown) => {
      if (error === undefined) resolve();
      else reject(isError(error) ? error : new Error('the body cannot be read'));
    });
  });
  const bytes: unknown = request.body;
  return Buffer.isBuffer(bytes) ? bytes : null;
}

/** Turns an error of Express's body parsers into an answer. */
export function bodyError(error: unknown): ApiError {
  return isTooLarge(error)
    ? new ApiError('bad_request', `The body must not exceed ${BODY_KIB} KiB.`)
    : unreadableBody();
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'type' in error && error.type === 'entity.too.large';
}

export const JSON_MEDIA = 'application/json';
export const FORM = 'application/x-www-form-urlencoded';
/** Maximum nesting depth of a body; the outermost object counts. */
export const MAX_DEPTH = 20;

const LATIN1 = 'iso-8859-1';
/** Character sets by media type. Old browsers send forms in ISO 8859-1. */
const CHARSETS = {
  json: ['utf-8', 'utf-16', 'utf-16le', 'utf-16be'],
  form: ['utf-8', LATIN1],
} as const;
const [QUOTE, BACKSLASH] = ['"', '\\'];

/**
 * Parses a body. A form that begins with a brace, after optional white space, is parsed as JSON,
 * since `curl -d` sends JSON as a form.
 * @param type the media type, JSON or form
 * @param contentType the whole header
 * @returns the JSON value, or the fields of the form
 * @throws ApiError bad_request if the body cannot be parsed
 */
function readBodyFields(bytes: Buffer, type: string, contentType: string): unknown {
  if (bytes.length === 0) return {};
  const isForm = type === FORM;
  const charset =
    /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1]?.toLowerCase() ?? 'utf-8';
  const charsets: readonly string[] = isForm ? CHARSETS.form : CHARSETS.json;
  if (!charsets.includes(charset)) throw unreadableBody();
  const text = parse(() => decoded(bytes, charset));
  if (isForm && !/^[\t\n\r ]*\{/.test(text)) return parse(() => formOf(text, charset));
  if (isTooDeep(text)) {
    const detail = `The body must not be nested more than ${MAX_DEPTH} levels deep.`;
    throw new ApiError('bad_request', detail);
  }
  return parse((): unknown => JSON.parse(text));
}

/**
 * Parses the body of a lenient operation as well as possible: by its content if its type is
 * unknown, and as ISO 8859-1 if it is not in the encoding that it names.
 * @returns the fields, with names in lower case; none if it is neither a JSON object nor a form
 */
async function readAnyFields(bytes: Buffer, contentType: string): Promise<object> {
  const boundary = boundaryOf(bytes, contentType);
  if (boundary !== null) return inLowerCase(fieldsOf(await partsOf(bytes, boundary)));
  const type = /json/i.test(contentType) ? 'json' : FORM;
  const fields = orNull(() => readBodyFields(bytes, type, contentType));
  if (isRecord(fields)) return inLowerCase(fields);
  const others = orNull(() => readBodyFields(bytes, FORM, `${FORM}; charset=${LATIN1}`));
  return isRecord(others) ? inLowerCase(others) : {};
}

/**
 * Returns the fields with names in lower case. If names differ only in letter case, the value of
 * the name in lower case is used.
 */
function inLowerCase(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const others = Object.entries(fields).map(
    ([name, value]) => [name.toLowerCase(), value] as const,
  );
  const own = Object.entries(fields).filter(([name]) => name === name.toLowerCase());
  return Object.fromEntries<unknown>([...others, ...own]);
}

function orNull<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

function decoded(bytes: Buffer, charset: string): string {
  if (charset === LATIN1) return bytes.toString('latin1');
  return new TextDecoder(charset, { fatal: true }).decode(bytes);
}

/** Counts open brackets outside strings, before anything is parsed. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isInString) {
      if (character === BACKSLASH) at += 1;
      else if (character === QUOTE) isInString = false;
    } else if (character === QUOTE) isInString = true;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

function formOf(text: string, charset: string): Record<string, unknown> {
  const read = charset === LATIN1 ? unescapedLatin1 : decodeURIComponent;
  const pairs = text.split('&').filter((part) => part !== '');
  return fieldsOf(
    pairs.map((pair) => {
      const [name = '', value = ''] = splitAtFirst(pair.replaceAll('+', ' ')).map(read);
      return [name, value];
    }),
  );
}

/**
 * Returns the values by name. A repeated field becomes a list. An empty value becomes null, which a
 * form cannot express.
 */
function fieldsOf(pairs: readonly FormPair[]): Record<string, unknown> {
  const values = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    const before = values.get(name);
    if (before === undefined) values.set(name, [value]);
    else before.push(value);
  }
  return Object.fromEntries(
    Array.from(values, ([name, [first, ...more]]) => [
      name,
      more.length > 0 ? [first, ...more] : first === '' ? null : first,
    ]),
  );
}

function splitAtFirst(pair: string): string[] {
  const at = pair.indexOf('=');
  return at < 0 ? [pair] : [pair.slice(0, at), pair.slice(at + 1)];
}

/**
 * Decodes percent-encoded text as ISO 8859-1.
 * @throws URIError as decodeURIComponent does
 */
function unescapedLatin1(text: string): string {
  if (/%(?![0-9a-f]{2})/i.test(text)) throw new URIError();
  return text.replace(/%(..)/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}

function parse<Value>(read: () => Value): Value {
  try {
    return read();
  } catch {
    throw unreadableBody();
  }
}

function unreadableBody(): ApiError {
  return new ApiError('bad_request', 'The body cannot be read.');
}

export const MULTIPART = 'multipart/form-data';

/** Holds the name and the value of a field of a form. */
type FormPair = readonly [name: string, value: string];

/**
 * Returns the text between the parts of a body. If the type does not name the boundary, the
 * beginning of the body does.
 * @returns null if the body has no parts
 */
function boundaryOf(bytes: Buffer, contentType: string): string | null {
  const named = /^multipart\/[^;]*;.*\bboundary=(?:"([^"\\]+)"|([^\s";]+))/i.exec(contentType);
  const first = /^--([^\r\n"\\]{1,70})\r\n/.exec(bytes.toString('latin1', 0, 80));
  return named?.[1] ?? named?.[2] ?? first?.[1] ?? null;
}

/** Returns the fields of a multipart body, without its files. Fields before an error count. */
async function partsOf(bytes: Buffer, boundary: string): Promise<FormPair[]> {
  const pairs: FormPair[] = [];
  const headers = { 'content-type': `${MULTIPART}; boundary="${boundary}"` };
  const parser = busboy({ headers, limits: { files: 0 } });
  await new Promise<void>((resolve) => {
    parser.on('field', (name, value) => pairs.push([name, value]));
    parser.on('error', () => {
      resolve();
    });
    parser.on('close', resolve);
    parser.end(bytes);
  });
  return pairs;
}
