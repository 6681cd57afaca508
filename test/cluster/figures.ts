import { writeSync } from 'node:fs';
import type { Asked } from './mixed-load.js';

/** A longer answer shows a problem. */
const WELL_MS = 500;

/** A part of a run, from the time of a fault on. */
export interface Stretch {
  readonly name: string;
  /** Time in `performance.now()`. */
  readonly from: number;
  readonly to: number;
  /** Requests sent up to this time may fail. After it, the failed part is no longer used. */
  readonly excusedUntil: number;
}

export interface StretchFigures {
  readonly requests: number;
  /** Number of requests that were answered with 500. */
  readonly failed: number;
  /** Number of requests without an answer. */
  readonly unanswered: number;
  readonly slowestMs: number;
  /** Time from the beginning to the end of the last request that failed or was slow. */
  readonly recoveredMs: number;
}

/** Returns failed requests that no fault excuses. */
export function unexcusedOf(stretches: readonly Stretch[], asked: readonly Asked[]): Asked[] {
  const isExcused = ({ begun, ended }: Asked) =>
    stretches.some(({ from, excusedUntil }) => begun <= excusedUntil && ended >= from);
  return asked.filter((request) => hasFailed(request) && !isExcused(request));
}

/** @param asked requests of the whole run, each of which counts in the stretch of its end */
export function figuresOf(stretch: Stretch, asked: readonly Asked[]): StretchFigures {
  const { from, to } = stretch;
  const own = asked.filter(({ ended }) => ended >= from && ended < to);
  const unwell = own.filter((request) => hasFailed(request) || tookMs(request) > WELL_MS);
  return {
    requests: own.length,
    failed: own.filter(({ status }) => status === 500).length,
    unanswered: own.filter(({ status }) => status === null).length,
    slowestMs: Math.max(0, ...own.map(tookMs)),
    recoveredMs: Math.max(0, ...unwell.map(({ ended }) => ended - from)),
  };
}

function hasFailed({ status }: Asked): boolean {
  return status === null || status === 500;
}

function tookMs({ begun, ended }: Asked): number {
  return ended - begun;
}

/** Prints lines without jest, which would add the origin of each. */
export function print(...lines: readonly string[]): void {
  writeSync(1, `\n${lines.join('\n')}\n`);
}

/** Returns columns of equal width; the first has text, the others have numbers. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  return [head, ...rows].map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column === 0 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  '),
  );
}

export function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1);
}
