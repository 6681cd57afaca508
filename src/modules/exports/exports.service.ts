import { Injectable } from '@nestjs/common';
import type { CsvStyle } from '../../platform/files/csv.js';
import type { Reader } from '../../platform/database/database.js';
import { Settings } from '../../config/settings.js';
import type { Transaction } from '../../ledger/reads/transaction.model.js';
import { ChangesFeedService } from '../../ledger/changes/changes-feed.service.js';
import {
  CountedRowsService,
  QueryWalkService,
  type TransactionWalk,
  type WalkedTransactions,
  TransactionWalkService,
} from '../transactions/index.js';
import {
  type CountedExport,
  countedRows,
  type ExportedRows,
  type ExportFile,
  type ExportFormat,
  type ExportRequest,
  type ListExportRequest,
  FORMATS,
} from './formats.js';
import { ExportTurns, type ExportPace } from './export-turns.js';

/**
 * An export ends after this time, because the database cannot clean up old row versions while a
 * snapshot is open.
 */
export const MAX_EXPORT_MINUTES = 10;
const MAX_EXPORT_MS = MAX_EXPORT_MINUTES * 60_000;
const SLICE_BYTES = 64 * 1_024;
const CUT_OFF = `an export was cut off: it took more than ${MAX_EXPORT_MINUTES} minutes, or its client was slow and others waited`;
/** This range covers all days that a ledger can have. */
const ALL_DAYS = { start_date: '1000-01-01', end_date: '9999-12-31' } as const;

type Use<File> = (file: File) => Promise<void>;

/** Exports whole lists of transactions as files (see `docs/exports.md`). */
@Injectable()
export class ExportsService {
  constructor(
    private readonly feed: ChangesFeedService,
    private readonly walks: TransactionWalkService,
    private readonly queries: QueryWalkService,
    private readonly turns: ExportTurns,
    private readonly rows: CountedRowsService,
    private readonly settings: Settings,
  ) {}

  /**
   * Reads an export from one state of the ledger, which contains everything committed before the
   * call.
   * @param use receives the file once, and reads all chunks or throws
   * @throws ApiError too_many_requests if too many exports run
   */
  export(request: ExportRequest, use: Use<CountedExport>): Promise<void> {
    return this.fromSnapshot(request.vendor_id, use, async (snapshot, cursor, pace) => {
      const { range, format, csvStyle, vendor_id, counted: figure = null } = request;
      const walk = await this.walkOf(snapshot, request);
      const days = range === null ? '' : `-${range.start_date}-to-${range.end_date}`;
      const name = `transactions${days}`;
      const rows = checked(walk);
      const file =
        figure === null
          ? fileOf(name, format, { ...rows, added: [] }, pace, csvStyle)
          : fileOf(
              name,
              format,
              this.counted(() => this.rows.batches(snapshot, vendor_id, rows.columns(), figure)),
              pace,
              csvStyle,
            );
      return { ...file, count: walk.count, cursor };
    });
  }

  private counted(batches: Parameters<typeof countedRows>[0]) {
    return countedRows(batches, this.settings.currency);
  }

  private walkOf(snapshot: Reader, request: ExportRequest): Promise<TransactionWalk> {
    const { range, vendor_id, isMasked, withRefunds, filtered = null } = request;
    if (filtered !== null) return this.queries.walk(snapshot, filtered, isMasked);
    const days = range ?? ALL_DAYS;
    return this.walks.walk(snapshot, { vendor_id, isMasked, withRefunds, ...days });
  }

  /** Exports another list of the vendor's transactions, as `export` does. */
  exportList(
    { vendor_id, name, format, batches }: ListExportRequest,
    use: Use<ExportFile>,
  ): Promise<void> {
    return this.fromSnapshot(vendor_id, use, (snapshot, cursor, pace) => {
      const file = fileOf(
        name,
        format,
        this.counted(() => batches(snapshot)),
        pace,
      );
      return Promise.resolve({ ...file, cursor });
    });
  }

  private fromSnapshot<File extends ExportFile>(
    vendor_id: number,
    use: Use<File>,
    open: (snapshot: Reader, cursor: number, pace: ExportPace) => Promise<File>,
  ): Promise<void> {
    return this.turns.take(vendor_id, async (pace) => {
      const used = { failure: null as Error | null, isBegun: false };
      await this.feed.readCurrent(vendor_id, async (snapshot, cursor) => {
        // A partly sent export cannot be repeated from another state.
        if (used.isBegun) return;
        const file = await open(snapshot, cursor, pace);
        used.isBegun = true;
        used.failure = await use(file).then(
          () => null,
          (error: unknown) => {
            if (file.expired.aborted) return new Error(CUT_OFF);
            return error instanceof Error ? error : new Error(String(error));
          },
        );
      });
      if (used.failure !== null) throw used.failure;
    });
  }
}

function fileOf<Row extends Transaction>(
  name: string,
  format: ExportFormat,
  rows: ExportedRows<Row>,
  pace: ExportPace,
  csvStyle: CsvStyle = 'machine',
) {
  const { type, isCompressible, chunksOf } = FORMATS[format];
  return {
    name: `${name}.${format}`,
    type,
    isCompressible,
    chunks: inSlices(chunksOf(rows, csvStyle), pace),
    expired: AbortSignal.any([AbortSignal.timeout(MAX_EXPORT_MS), pace.cutOff]),
  };
}

/**
 * Splits chunks into parts that even a slow client reads quickly, so that its pace can be measured.
 */
async function* inSlices(
  chunks: AsyncIterable<string | Uint8Array>,
  pace: ExportPace,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
      const slice = bytes.subarray(at, at + SLICE_BYTES);
      yield slice;
      pace.add(slice.length);
    }
  }
}

/** Returns a walk that fails at its end if it had another number of transactions than announced. */
function checked(walk: TransactionWalk): WalkedTransactions {
  async function* counted<Row>(batches: AsyncGenerator<readonly Row[]>) {
    let count = 0;
    for await (const batch of batches) {
      count += batch.length;
      yield batch;
    }
    if (count !== walk.count) {
      throw new Error(`an export of ${walk.count} had ${count} transactions; run verify`);
    }
  }
  return {
    listed: () => counted(walk.listed()),
    columns: () => counted(walk.columns()),
  };
}
