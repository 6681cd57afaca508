import { ApiError } from '../../../api/errors/api-error.js';
import {
  jsonItemsOf,
  LongItemError,
  MalformedJsonError,
} from '../../../ledger/files/json-items.js';
import { linesOf } from '../../../ledger/files/ledger-file.js';
import { Utf16Error, utf8BytesOf } from '../../../ledger/files/utf8-bytes.js';
import { MAX_BODY_MIB, MAX_RECORD_KIB, MAX_RECORDS, type IncomingBody } from './incoming.model.js';

const KIB = 1_024;
const MAX_RECORD_BYTES = MAX_RECORD_KIB * KIB;
const MAX_BYTES = MAX_BODY_MIB * KIB * KIB;

/** Holds a record as it was sent, without the line end or comma after it. */
interface SentRecord {
  /** Number of the line, or position in the list, from 1; empty lines are counted. */
  readonly line: number;
  readonly bytes: Buffer;
}

/**
 * Splits a body into records and holds one of them in memory.
 * @throws ApiError `bad_request` if the body exceeds a limit, is not valid JSON, or is UTF-16
 */
export async function* recordsInBody({ bytes, format }: IncomingBody): AsyncGenerator<SentRecord> {
  const limited = utf8In(withLimit(bytes));
  let count = 0;
  for await (const record of format === 'lines' ? lineRecords(limited) : jsonRecords(limited)) {
    count += 1;
    if (count > MAX_RECORDS) {
      throw tooMuch(`at most ${MAX_RECORDS.toLocaleString('en')} records`);
    }
    yield record;
  }
}

async function* withLimit(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > MAX_BYTES) throw tooMuch(`at most ${MAX_BODY_MIB} MiB, unpacked`);
    yield chunk;
  }
}

async function* utf8In(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* utf8BytesOf(bytes);
  } catch (error) {
    if (!(error instanceof Utf16Error)) throw error;
    throw new ApiError(
      'bad_request',
      'The body is UTF-16. Send the records in UTF-8. Nothing was written.',
    );
  }
}

async function* lineRecords(chunks: AsyncIterable<Buffer>): AsyncGenerator<SentRecord> {
  for await (const { line, bytes } of linesOf(chunks, MAX_RECORD_BYTES)) {
    if (bytes === null) throw recordTooLong(line);
    yield { line, bytes };
  }
}

async function* jsonRecords(chunks: AsyncIterable<Buffer>): AsyncGenerator<SentRecord> {
  let line = 1;
  try {
    for await (const bytes of jsonItemsOf(chunks, MAX_RECORD_BYTES)) {
      yield { line, bytes };
      line += 1;
    }
  } catch (error) {
    if (error instanceof LongItemError) throw recordTooLong(line);
    if (error instanceof MalformedJsonError) {
      throw new ApiError('bad_request', 'The body is not valid JSON. Nothing was written.');
    }
    throw error;
  }
}

function recordTooLong(line: number): ApiError {
  return new ApiError(
    'bad_request',
    `Record ${line} has more than ${MAX_RECORD_KIB} KiB. Nothing was written.`,
  );
}

function tooMuch(limit: string): ApiError {
  return new ApiError('bad_request', `A request has ${limit}. Nothing was written.`);
}
