import { Injectable } from '@nestjs/common';
import { Principals } from '../../../api/access/principal.js';
import { ApiError, unauthorized } from '../../../api/errors/api-error.js';
import {
  jsonItemsOf,
  LongItemError,
  MalformedJsonError,
} from '../../../ledger/files/json-items.js';
import { linesOf } from '../../../ledger/files/ledger-file.js';
import { Utf16Error, utf8BytesOf } from '../../../ledger/files/utf8-bytes.js';
import { named } from '../../../ledger/records/record-type.js';
import type { WrittenRecord } from '../../../ledger/records/written-transaction.js';
import { Database, type Session } from '../../../platform/database/database.js';
import { BY_OPERATOR } from '../../../platform/values/author.js';
import { OpenImportsService } from '../../privacy/index.js';
import {
  type ApplyOptions,
  batchesOf,
  type BatchSize,
  type ImportBatch,
  type LineOutcome,
  oneAhead,
  RecordBatches,
} from '../batches/record-batches.js';
import {
  type IncomingBody,
  MAX_BODY_MIB,
  MAX_RECORD_KIB,
  MAX_RECORDS,
  MAX_RECORDS_ATOMIC,
  type RecordResult,
  type RecordsSender,
  refusedBody,
  resultOf,
  shortened,
} from './incoming.model.js';
import { RecordSpool, type SpooledRecords, type WholeRecord } from './record-spool.js';
import { WriteTurns } from './write-turns.js';

const MEBIBYTE = 1_048_576;
/** Batches are smaller than those of a file, because several requests write at the same time. */
const BATCH = { lines: 2_000, bytes: 2 * MEBIBYTE };
/** Batches have this size if several accounts write, because each waits for the others' batches. */
const BATCH_BESIDE_OTHERS = { lines: 100, bytes: MEBIBYTE / 8 };
/** An atomic request is always one batch. */
const ATOMIC_BATCH = { lines: MAX_RECORDS_ATOMIC, bytes: MAX_BODY_MIB * MEBIBYTE };
/** At most this many problems are listed in the detail of an error. */
const MAX_PROBLEMS = 20;

/** Applies the records that a source sends over HTTP. See docs/records.md. */
@Injectable()
export class IncomingRecordsService {
  constructor(
    private readonly database: Database,
    private readonly principals: Principals,
    private readonly batches: RecordBatches,
    private readonly spool: RecordSpool,
    private readonly turns: WriteTurns,
    private readonly open: OpenImportsService,
  ) {}

  /**
   * Writes the records after all of them have arrived within the limits.
   * @param isAtomic true to write all records or none
   * @returns the result of each record, in order; each reported write is committed
   * @throws ApiError `bad_request`; `too_many_requests`; `invalid_parameters` if `isAtomic` and a
   *   record is rejected; `key_invalid` if the key was revoked meanwhile
   */
  async apply(
    body: IncomingBody,
    sender: RecordsSender,
    isAtomic: boolean,
  ): Promise<RecordResult[]> {
    const records = await this.spool.write(sender.principal.user_id, recordsInBody(body));
    try {
      if (isAtomic && records.count > MAX_RECORDS_ATOMIC) {
        const most = MAX_RECORDS_ATOMIC.toLocaleString('en');
        throw refusedBody(`A request with atomic=true has at most ${most} records.`);
      }
      // One batch is written either before an erasure or after it. Between several batches, an
      // erasure may happen.
      const size = isAtomic ? ATOMIC_BATCH : this.batchSize();
      if (isAtomic || fits(records, size)) {
        return await this.write(records, sender, isAtomic, () => size);
      }
      return await this.open.during(sender.vendor_id, () =>
        this.write(records, sender, isAtomic, () => this.batchSize()),
      );
    } finally {
      await records.close();
    }
  }

  /**
   * Checks the key again: the body may have taken minutes to arrive, and a revoked key must not
   * write.
   */
  private async checkSender({ principal }: RecordsSender, written: number): Promise<void> {
    if (await this.principals.isUnchanged(principal)) return;
    const rest =
      written === 0
        ? 'Nothing was written.'
        : `Of its records, the first ${written.toLocaleString('en')} were written.`;
    throw unauthorized('key_invalid', `This key was revoked meanwhile. ${rest}`);
  }

  private async write(
    records: SpooledRecords,
    sender: RecordsSender,
    isAtomic: boolean,
    sizeOfNext: () => BatchSize,
  ): Promise<RecordResult[]> {
    const { user_id, application_id } = sender.principal;
    const options = {
      origin: { user_id, application_id },
      onlyVendor: sender.vendor_id,
      outranksApi: false,
    };
    const begin = () => this.batches.begin(sizeOfNext());
    const results: RecordResult[] = [];
    for await (const batch of oneAhead(batchesOf(records.read(), begin))) {
      const write = async () => {
        await this.checkSender(sender, results.length);
        return this.writeBatch(batch, options, isAtomic);
      };
      const isFirst = results.length === 0;
      const outcomes = await (isFirst
        ? this.turns.first(user_id, write)
        : this.turns.next(user_id, write));
      results.push(...outcomes.map(resultOf));
    }
    return results;
  }

  private batchSize(): BatchSize {
    return this.turns.areSeveral ? BATCH_BESIDE_OTHERS : BATCH;
  }

  private writeBatch(
    batch: ImportBatch,
    options: ApplyOptions,
    isAtomic: boolean,
  ): Promise<LineOutcome[]> {
    return this.database.writeBatch(async (session) => {
      const run = await this.batches.apply(batch, session, options);
      const outcomes = [...batch.outcomes(run)];
      // An error rolls the transaction back.
      if (isAtomic) throwIfRejected(outcomes);
      return outcomes;
    });
  }
}

function fits({ count, bytes }: SpooledRecords, size: BatchSize): boolean {
  return count <= size.lines && bytes <= size.bytes;
}

function throwIfRejected(outcomes: readonly LineOutcome[]): void {
  const problems = outcomes.flatMap(({ line, type, key, problem }) =>
    problem === undefined ? [] : [`line ${line}: ${shortened(named(problem, type, key))}`],
  );
  if (problems.length === 0) return;
  const shown = problems.slice(0, MAX_PROBLEMS).join('; ');
  const more = problems.length - MAX_PROBLEMS;
  const rest = more > 0 ? `; and ${more.toLocaleString('en')} more` : '';
  throw new ApiError('invalid_parameters', `Nothing was written. ${shown}${rest}.`);
}

const KIB = 1_024;
const MAX_RECORD_BYTES = MAX_RECORD_KIB * KIB;
const MAX_BYTES = MAX_BODY_MIB * KIB * KIB;

/**
 * Splits a body into records and holds one of them in memory.
 * @throws ApiError `bad_request` if the body exceeds a limit, is not valid JSON, or is UTF-16
 */
async function* recordsInBody({ bytes, format }: IncomingBody): AsyncGenerator<WholeRecord> {
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
    throw refusedBody('The body is UTF-16. Send the records in UTF-8.');
  }
}

async function* lineRecords(chunks: AsyncIterable<Buffer>): AsyncGenerator<WholeRecord> {
  for await (const { line, bytes } of linesOf(chunks, MAX_RECORD_BYTES)) {
    if (bytes === null) throw recordTooLong(line);
    yield { line, bytes };
  }
}

async function* jsonRecords(chunks: AsyncIterable<Buffer>): AsyncGenerator<WholeRecord> {
  let line = 1;
  try {
    for await (const bytes of jsonItemsOf(chunks, MAX_RECORD_BYTES)) {
      yield { line, bytes };
      line += 1;
    }
  } catch (error) {
    if (error instanceof LongItemError) throw recordTooLong(line);
    if (error instanceof MalformedJsonError) throw refusedBody('The body is not valid JSON.');
    throw error;
  }
}

function recordTooLong(line: number): ApiError {
  return refusedBody(`Record ${line} has more than ${MAX_RECORD_KIB} KiB.`);
}

function tooMuch(limit: string): ApiError {
  return refusedBody(`A request has ${limit}.`);
}

/** The batch is larger than any call needs, so each call writes one batch. */
const ONE_BATCH = { lines: 10_000, bytes: 64 * 1024 * 1024 };

/**
 * Applies the records that were read from an upstream, with the rights of a source of its vendor.
 */
@Injectable()
export class UpstreamRecordsService {
  constructor(private readonly batches: RecordBatches) {}

  /**
   * Writes the records that are accepted, in the transaction of the session.
   * @param source name of the upstream in the audit log
   * @param records at most some hundreds; each may refer to those before it
   * @returns the result of each record, in order
   */
  async apply(
    session: Session,
    { vendor_id, source }: { readonly vendor_id: number; readonly source: string },
    records: readonly WrittenRecord[],
  ): Promise<RecordResult[]> {
    const batch = this.batches.begin(ONE_BATCH);
    records.forEach((record, index) => {
      batch.read({ line: index + 1, bytes: Buffer.from(JSON.stringify(record)) });
    });
    const origin = { ...BY_OPERATOR, source };
    const options = { origin, onlyVendor: vendor_id, outranksApi: true };
    const run = await this.batches.apply(batch, session, options);
    return Array.from(batch.outcomes(run), resultOf);
  }
}
