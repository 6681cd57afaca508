import { writeSync } from 'node:fs';
import type { Asked } from './mixed-load.js';

/** An answer that took longer shows that something is not well. */
const WELL_MS = 500;

/** A part of a run, from the moment on that something was done to the cluster. */
export interface Stretch {
  readonly name: string;
  /** By `performance.now()`. */
  readonly from: number;
  readonly to: number;
  /** Until when a request may have been sent that fails: then the dead part is passed over. */
  readonly excusedUntil: number;
}

export interface StretchFigures {
  readonly requests: number;
  /** Answered 500. */
  readonly failed: number;
  /** Not answered at all. */
  readonly unanswered: number;
  readonly slowestMs: number;
  /** From its beginning on until the last request was over that failed, or took long. */
  readonly recoveredMs: number;
}

/** Failures of requests that were not under way when something died that may fail them. */
export function unexcusedOf(stretches: readonly Stretch[], asked: readonly Asked[]): Asked[] {
  const isExcused = ({ begun, ended }: Asked) =>
    stretches.some(({ from, excusedUntil }) => begun <= excusedUntil && ended >= from);
  return asked.filter((request) => hasFailed(request) && !isExcused(request));
}

/** @param asked of the whole run; a request counts where it ended */
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

/** Prints lines past jest, which would add where each comes from. */
export function print(...lines: readonly string[]): void {
  writeSync(1, `\n${lines.join('\n')}\n`);
}

/** Columns of equal width; the first is text, the others are numbers. */
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
