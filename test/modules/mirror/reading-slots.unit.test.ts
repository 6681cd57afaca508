/** The choice of the upstreams that a process reads from, if some are slow. */
import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { ReadingSlots, type ReadingSlot } from '../../../src/modules/mirror/runs/mirror.job.js';
import { within } from '../../support/processes/within.js';

const SOON_MS = 10_000;
const LIMITS = { working: 2, slowMs: 20 };

/** A call that a test answers. */
class Call {
  answer = (): void => undefined;
  readonly made = new Promise<void>((resolve) => {
    this.answer = resolve;
  });
}

function untilCount(
  slots: ReadingSlots,
  which: 'reading' | 'slow' | 'waiting',
  count: number,
): Promise<void> {
  return within(SOON_MS, async () => {
    await Promise.resolve();
    expect(slots.counts[which]).toBe(count);
  });
}

function opened(slots: ReadingSlots, id: number): ReadingSlot {
  return slots.open(id, new AbortController());
}

/** Opens slots whose first calls are not answered. */
function asking(slots: ReadingSlots, ids: readonly number[]) {
  return ids.map((id) => {
    const [slot, call] = [opened(slots, id), new Call()];
    const ended = slot.enter().then(() => slot.during(() => call.made));
    return { id, slot, call, ended };
  });
}

describe('an upstream that is slow', () => {
  it('gives its place to those that wait, and goes on when its answer has come', async () => {
    const slots = new ReadingSlots(LIMITS);
    const slow = asking(slots, [1, 2]);
    const third = opened(slots, 3);
    expect(slots.counts).toEqual({ reading: 2, slow: 0, waiting: 1 });
    await third.enter();
    await untilCount(slots, 'slow', 2);
    const fourth = opened(slots, 4);
    await fourth.enter();
    for (const { call } of slow) call.answer();
    await untilCount(slots, 'waiting', 2);
    slots.end(third);
    slots.end(fourth);
    await Promise.all(slow.map(({ ended }) => ended));
    expect(slots.counts).toEqual({ reading: 2, slow: 0, waiting: 0 });
  });

  it('has no place while it is waited for, in its next calls and when it is read again', async () => {
    const slots = new ReadingSlots(LIMITS);
    const [first] = asking(slots, [1]);
    await untilCount(slots, 'slow', 1);
    first?.call.answer();
    await first?.ended;
    const next = new Call();
    const again = first?.slot.during(() => next.made);
    expect(slots.counts).toMatchObject({ reading: 0, slow: 1 });
    next.answer();
    await again;
    if (first !== undefined) slots.end(first.slot);
    const slot = opened(slots, 1);
    const later = new Call();
    const called = slot.during(() => later.made);
    expect(slots.counts).toMatchObject({ reading: 0, slow: 1 });
    later.answer();
    await called;
    slots.end(slot);
    const fast = opened(slots, 1);
    const held = fast.during(() => new Call().made);
    expect(slots.counts).toMatchObject({ reading: 1, slow: 0 });
    slots.end(fast);
    void held;
  });

  it('ends if too many are read from and another one waits: the slowest first', async () => {
    const slots = new ReadingSlots(LIMITS);
    const slow = asking(slots, [1, 2, 3, 4]);
    await untilCount(slots, 'slow', slow.length);
    expect(slow.map(({ slot }) => slot.signal.aborted)).toEqual([false, false, false, false]);
    slots.endSlowest();
    const [ended] = slow.filter(({ slot }) => slot.signal.aborted);
    expect(slow.filter(({ slot }) => slot.signal.aborted)).toHaveLength(1);
    if (ended !== undefined) slots.end(ended.slot);
    await opened(slots, 5).enter();
    expect(slots.counts).toEqual({ reading: 1, slow: 3, waiting: 0 });
  });
});

it('an upstream that waits for many places leaves no listener on its signal', async () => {
  const slots = new ReadingSlots({ ...LIMITS, slowMs: 1 });
  const [first] = asking(slots, [1]);
  const others = [opened(slots, 2), opened(slots, 3)];
  await untilCount(slots, 'slow', 1);
  first?.call.answer();
  await untilCount(slots, 'waiting', 1);
  const signal = first?.slot.signal ?? new AbortController().signal;
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  for (const slot of others) slots.end(slot);
  await first?.ended;
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

describe('upstreams that answer soon', () => {
  it('keep their places, whatever waits', async () => {
    const slots = new ReadingSlots({ ...LIMITS, slowMs: 60_000 });
    const [one, two] = [opened(slots, 1), opened(slots, 2)];
    const third = opened(slots, 3);
    for (let at = 0; at < 10; at += 1) {
      await Promise.all([one, two].map((slot) => slot.during(() => Promise.resolve())));
    }
    expect(slots.counts).toEqual({ reading: 2, slow: 0, waiting: 1 });
    for (const slot of [one, two, third]) slots.end(slot);
    expect(slots.counts).toEqual({ reading: 0, slow: 0, waiting: 0 });
  });
});
