import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Controller, HttpCode, Post, Query, Req, VERSION_NEUTRAL } from '@nestjs/common';
import type { Request } from 'express';
import { CurrentPrincipal, type Principal, vendorOfSource } from '../../api/access/principal.js';
import type { Answer } from '../../api/envelope/envelope.js';
import { ApiError } from '../../api/errors/api-error.js';
import { ApiField } from '../../api/validation/api-field.js';
import { IsOneOf } from '../../api/validation/validators.js';
import { AllowAccess, ApiOperation, StreamedBody } from '../../api/versions/api-operation.js';
import { LEDGER_PATH } from '../../api/versions/api-versions.js';
import { RECORD_TYPES } from '../../ledger/records/record-type.js';
import { codeOf } from '../../platform/errors/is-error.js';
import { recordOf } from '../../platform/values/record-of.js';
import { VERDICTS } from './batches/batch-run.js';
import { IncomingRecordsService } from './incoming/incoming-records.service.js';
import {
  BODY_SECONDS,
  type IncomingBody,
  MAX_BODY_MIB,
  MAX_RECORD_KIB,
  MAX_RECORDS,
  refusedBody,
  type RecordResult,
} from './incoming/incoming.model.js';

const LINES = 'application/x-ndjson';
const JSON_TYPE = 'application/json';
/**
 * Milliseconds for which the rest of a rejected body is read, so that the client can read the
 * answer.
 */
const REST_MS = 5_000;
const CHUNK_BYTES = 64 * 1024;

/**
 * Returns the body of a request that sends records.
 * @throws ApiError `bad_request` if the type, the character set or the coding is not supported
 */
function bodyOf(request: Request): IncomingBody {
  const format = formatOf(request);
  const chunks = inTime(request, BODY_SECONDS * 1_000);
  return { format, bytes: isPacked(request) ? unpacked(chunks) : chunks };
}

/** Reads and discards the rest of an unread body, for a limited time. */
function discardRest(request: Request): void {
  if (request.complete || request.destroyed) return;
  // The body flows as soon as its previous reader releases it.
  request.on('data', () => undefined);
  const timer = setTimeout(() => request.destroy(), REST_MS).unref();
  for (const event of ['end', 'close']) {
    request.once(event, () => {
      clearTimeout(timer);
    });
  }
}

function formatOf(request: Request): IncomingBody['format'] {
  // The type does not matter without a body.
  const type = hasNoBody(request) ? null : request.is([LINES, JSON_TYPE]);
  if (type === false) {
    throw new ApiError('bad_request', `Send the records as ${LINES} or as ${JSON_TYPE}.`);
  }
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(request.get('Content-Type') ?? '')?.[1];
  if (charset !== undefined && charset.toLowerCase() !== 'utf-8') {
    throw new ApiError('bad_request', 'Send the records in UTF-8.');
  }
  return type === JSON_TYPE ? 'json' : 'lines';
}

function hasNoBody(request: Request): boolean {
  return request.get('Content-Length') === '0';
}

function isPacked(request: Request): boolean {
  const coding = request.get('Content-Encoding')?.trim().toLowerCase() ?? 'identity';
  if (coding !== 'gzip' && coding !== 'identity' && coding !== '') {
    throw new ApiError('bad_request', 'Send the body as it is, or with Content-Encoding: gzip.');
  }
  return coding === 'gzip';
}

/**
 * Yields the chunks of a request. The request stays open for the answer even if the chunks are not
 * read to the end.
 * @throws ApiError `bad_request` if they take too long or end early
 */
export async function* inTime(
  request: Pick<Readable, 'iterator'>,
  ms: number,
): AsyncGenerator<Buffer> {
  // The request is a stream of bytes, so its chunks are buffers.
  const chunks: AsyncIterator<Buffer, unknown> = request.iterator({ destroyOnReturn: false });
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(unreadable(`did not arrive within ${ms / 1_000} seconds`));
    }, ms).unref();
  });
  tooLate.catch(() => undefined);
  let isWaiting = false;
  try {
    for (;;) {
      isWaiting = true;
      const next = await Promise.race([chunks.next(), tooLate]);
      isWaiting = false;
      if (next.done === true) return;
      yield next.value;
    }
  } catch (error) {
    // The client has disconnected and may no longer read this error.
    throw codeOf(error) === 'ECONNRESET' ? unreadable('ended early') : error;
  } finally {
    clearTimeout(timer);
    // `return` would wait for the chunk that did not arrive.
    if (!isWaiting) await chunks.return?.();
  }
}

async function* unpacked(chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const packed = Readable.from(chunks, { objectMode: false });
  const bytes = pipeline(packed, createGunzip({ chunkSize: CHUNK_BYTES }), () => undefined);
  try {
    yield* bytes as AsyncIterable<Buffer>;
  } catch (error) {
    throw codeOf(error)?.startsWith('Z_') === true ? unreadable('is not valid gzip') : error;
  }
}

function unreadable(problem: string): ApiError {
  return refusedBody(`The body ${problem}.`);
}

class RecordsQuery {
  @ApiField('`true`: all records or none, at most 2,000 of them.', 'true')
  @IsOneOf(['true', 'false'])
  atomic = 'false';
}

const RECORDS = RECORD_TYPES.map((type) => `${camelCase(type)}Record`);
const DESCRIPTION = [
  'Writes records of the ledger format: sales, refunds, products, users and all else. For the key of a source.',
  `A request has at most ${MAX_RECORDS.toLocaleString('en')} records and ${MAX_BODY_MIB} MiB, unpacked; a record has at most ${MAX_RECORD_KIB} KiB. A body that is larger, or cannot be read, is rejected as a whole, and nothing is written.`,
  'The answer reports the result of each record, in order. Reported writes are committed. A rejected record does not affect others, unless `atomic` is `true`.',
  'Send the same records again if there was no answer, or a 429 or 500: they end in the same state. A record may refer only to what is stored or comes before it; if it was rejected for that reason, send it again later.',
  'A source of one vendor writes only for that vendor. It can add users and change those that it added, unless they have a password, an API application, a product or a sale of another vendor; all other users stay as they are.',
].join('\n\n');

/** Receives records from sources. See docs/records.md. */
@Controller({ path: `${LEDGER_PATH}/records`, version: VERSION_NEUTRAL })
export class RecordsController {
  constructor(private readonly records: IncomingRecordsService) {}

  @Post()
  @HttpCode(200)
  @AllowAccess('source')
  @StreamedBody()
  @ApiOperation({
    id: 'sendRecords',
    summary: 'Send records',
    description: DESCRIPTION,
    records: RECORDS,
  })
  async send(
    @Req() request: Request,
    @CurrentPrincipal() principal: Principal,
    @Query() { atomic }: RecordsQuery,
  ): Promise<Answer> {
    const sender = { principal, vendor_id: vendorOfSource(principal) };
    try {
      const isAtomic = atomic === 'true';
      return presentResults(await this.records.apply(bodyOf(request), sender, isAtomic));
    } finally {
      discardRest(request);
    }
  }
}

/** Returns the name in camel case, such as `recurringPayment` for `recurring_payment`. */
function camelCase(type: string): string {
  return type.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Presents the result of each record, and counts them by result. */
function presentResults(results: readonly RecordResult[]): Answer {
  const summary = recordOf(VERDICTS, () => 0);
  for (const { verdict } of results) summary[verdict] += 1;
  return { meta: { summary }, results };
}
