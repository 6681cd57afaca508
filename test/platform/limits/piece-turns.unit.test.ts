import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { PieceTurns } from '../../../src/platform/limits/memory/piece-turns.js';

const PIECE_MS = 20;

function work(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

it('gives parts of answers their turn by account, one at a time', async () => {
  const turns = new PieceTurns();
  const read: number[] = [];
  const piece = async (account: number) => {
    await turns.next(account);
    read.push(account);
  };
  await Promise.all([1, 1, 1, 1, 2, 3].map(piece));
  expect(read).toEqual([1, 1, 2, 3, 1, 1]);
  expect(turns.room.counts.waited).toBe(5);
});

it('lets other work go first after a part', async () => {
  const turns = new PieceTurns();
  const order: string[] = [];
  const pieces = [1, 2].map(async (account) => {
    await turns.next(account);
    order.push('part');
    work(PIECE_MS);
  });
  let isOver = false;
  const others = async () => {
    while (!isOver) {
      await nextTurn();
      order.push('other');
      work(PIECE_MS / 4);
    }
  };
  const done = others();
  await Promise.all(pieces);
  isOver = true;
  await done;
  const between = order.slice(order.indexOf('part') + 1, order.lastIndexOf('part'));
  expect(between).toContain('other');
});
