import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import { codeOf } from '../errors/is-error.js';
import type { ValuesByLabel } from './metrics.js';

/** Maximum number of bytes that are buffered for a slow reader; further lines are lost. */
const MAX_BUFFERED_BYTES = 1_048_576;
const NAMES = { stdout: 'standard output', stderr: 'standard error' } as const;
const DESCRIPTORS = { stdout: 1, stderr: 2 } as const;

type StreamName = keyof typeof NAMES;
type Done = (error?: Error | null) => void;

const linesLost: Record<StreamName, number> = { stdout: 0, stderr: 0 };

export const LINES_LOST: ValuesByLabel = {
  name: 'log_lines_lost_total',
  help: 'Log lines that could not be written.',
  label: 'stream',
  read: () => linesLost,
};

interface Gap {
  readonly since: Date;
  readonly cause: string;
  lines: number;
}

/**
 * Keeps the process running when its log cannot be written because the disk is full, or because the
 * reader of a pipe is gone or does not read. Lost lines are counted, and logged once writing works
 * again. The `write` functions of the streams are replaced, so this covers every writer.
 */
export function guardOutput(): void {
  new GuardedStream('stdout').guard();
  new GuardedStream('stderr').guard();
}

class GuardedStream {
  private readonly stream: NodeJS.WriteStream;
  private readonly send: (bytes: Buffer, done: Done) => unknown;
  private gap: Gap | null = null;
  /** True if the file ends in the middle of a line. */
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
    // Errors are handled by the callback of each write.
    stream.on('error', () => undefined);
    stream.write = (text: string | Uint8Array, encoding?: BufferEncoding | Done, done?: Done) => {
      const asText = typeof encoding === 'string' ? encoding : undefined;
      const bytes = typeof text === 'string' ? Buffer.from(text, asText) : Buffer.from(text);
      return this.write(bytes, typeof encoding === 'function' ? encoding : done);
    };
  }

  private write(bytes: Buffer, done: Done | undefined): boolean {
    const buffered = this.stream.writableLength;
    // Once lines are lost, writing resumes only when the buffer is empty: otherwise every other
    // line would be lost.
    if (buffered > (this.gap === null ? MAX_BUFFERED_BYTES : 0)) {
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

  /**
   * Writes until all bytes are written. The stream itself treats a short write, as on a full disk,
   * as a complete one.
   */
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
    const message = `${lines} log lines could not be written to ${NAMES[this.name]}`;
    new Logger('Log').warn(`${message} since ${since.toISOString()} (${cause}).`);
  }
}

/** Returns the number of lines, at least one, because the last line may have no line end. */
function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines += 1;
  return Math.max(1, lines);
}
