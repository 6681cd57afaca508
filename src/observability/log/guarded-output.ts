import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import { codeOf } from '../../common/errors/is-error.js';
import type { CountsByLabel } from '../metrics/metrics.js';

/** What may wait for a reader who does not read; what comes then is lost. */
const MOST_WAITING_BYTES = 1_048_576;
const NAMES = { stdout: 'standard output', stderr: 'standard error' } as const;
const DESCRIPTORS = { stdout: 1, stderr: 2 } as const;

type StreamName = keyof typeof NAMES;
type Done = (error?: Error | null) => void;

const linesLost: Record<StreamName, number> = { stdout: 0, stderr: 0 };

/** For the metrics of each process. */
export const LINES_LOST: CountsByLabel = {
  name: 'log_lines_lost_total',
  help: 'Lines of the log that could not be written.',
  label: 'stream',
  read: () => linesLost,
};

/** The lines lost since a stream could last be written. */
interface Gap {
  readonly since: Date;
  readonly cause: string;
  lines: number;
}

/**
 * Lets this process go on where its log can not be written: on a full disk, where the reader of a pipe
 * is gone, or does not read. What was lost is counted, and told once the log can be written again.
 * It stands before the streams themselves, so that nothing that writes to them gets past it.
 */
export function guardOutput(): void {
  new GuardedStream('stdout').guard();
  new GuardedStream('stderr').guard();
}

class GuardedStream {
  private readonly stream: NodeJS.WriteStream;
  private readonly send: (bytes: Buffer, done: Done) => unknown;
  private gap: Gap | null = null;
  /** Where a file has the beginning of a line only. */
  private isCut = false;

  constructor(private readonly name: StreamName) {
    const stream = process[name];
    this.stream = stream;
    const write = stream.write.bind(stream);
    this.send =
      stream instanceof Socket
        ? (bytes, done) => write(bytes, done)
        : (bytes, done) => {
            done(this.writeFile(bytes));
          };
  }

  guard(): void {
    const { stream } = this;
    // Each write that fails is told of it as well.
    stream.on('error', () => undefined);
    stream.write = (text: string | Uint8Array, encoding?: BufferEncoding | Done, done?: Done) => {
      const asText = typeof encoding === 'string' ? encoding : undefined;
      const bytes = typeof text === 'string' ? Buffer.from(text, asText) : Buffer.from(text);
      return this.write(bytes, typeof encoding === 'function' ? encoding : done);
    };
  }

  private write(bytes: Buffer, done: Done | undefined): boolean {
    const waiting = this.stream.writableLength;
    // Behind a gap the reader first reads all that waits: else every other line would be lost.
    if (waiting > (this.gap === null ? MOST_WAITING_BYTES : 0)) {
      this.lose(bytes, 'nobody reads it');
      if (done !== undefined) process.nextTick(done);
      return false;
    }
    this.send(bytes, (error) => {
      if (error) this.lose(bytes, codeOf(error) ?? error.name);
      else this.resume();
      done?.();
    });
    return true;
  }

  /** The stream itself would take a short write for a whole one: so ends what fits on a full disk. */
  private writeFile(bytes: Buffer): Error | null {
    let rest = this.isCut ? Buffer.concat([Buffer.from('\n'), bytes]) : bytes;
    try {
      while (rest.length > 0) {
        rest = rest.subarray(writeSync(DESCRIPTORS[this.name], rest));
        this.isCut = rest.length > 0;
      }
      return null;
    } catch (error) {
      return error instanceof Error ? error : new Error('not written');
    }
  }

  private lose(bytes: Buffer, cause: string): void {
    const lines = countLines(bytes);
    linesLost[this.name] += lines;
    this.gap ??= { since: new Date(), cause, lines: 0 };
    this.gap.lines += lines;
  }

  private resume(): void {
    if (this.gap === null || this.stream.writableLength > 0) return;
    const { lines, since, cause } = this.gap;
    this.gap = null;
    const what = `${lines} lines of the log could not be written to ${NAMES[this.name]}`;
    new Logger('Log').warn(`${what} since ${since.toISOString()} (${cause}).`);
  }
}

/** At least one: a stack trace without an end is a line, too. */
function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines += 1;
  return Math.max(1, lines);
}
