import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { MemoryLimitStore } from '../../../src/access/limits/store/memory-limit-store.js';
import { LimitQueues } from '../../../src/access/limits/waiting/limit-queues.js';
import { parseLimitWindows } from '../../../src/common/limit-windows.js';

const WINDOWS = parseLimitWindows('2/1s') ?? [];
const WAIT_MS = 3_000;

let store: MemoryLimitStore;
let room: LimitQueues;
let waited: number[];
let told: string[];
beforeEach(() => {
  jest.useFakeTimers();
  store = new MemoryLimitStore();
  [waited, told] = [[], []];
  room = new LimitQueues({ owner: 4, process: 6 }, WAIT_MS, (seconds) => waited.push(seconds));
});
afterEach(() => {
  jest.useRealTimers();
});

/** Requests a place, and records the outcome. */
function ask(text: string, owner = 'owner', name = 'line'): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  const taken = store.take(name, WINDOWS, 1, { maxWaitMs: room.maxWait(owner) });
  const tell = (allowed: boolean, left = 0) => {
    told.push(`${text} ${allowed ? 'in' : 'refused'} ${left}`);
  };
  if (!taken.allowed) room.countRejection(owner, taken);
  if (!taken.allowed || taken.waitMs === 0) tell(taken.allowed, taken.states[0]?.remaining);
  else {
    const look = () => store.take(name, WINDOWS, 0);
    room.wait({ request, owner, name, look }, taken).then(
      ({ allowed, states }) => {
        tell(allowed, states[0]?.remaining);
      },
      () => told.push(`${text} gone`),
    );
  }
  return request;
}

async function passes(milliseconds: number): Promise<string[]> {
  await jest.advanceTimersByTimeAsync(milliseconds);
  return told.splice(0);
}

describe('the requests that wait', () => {
  it('come in first come first served, as places come up, and see what is left then', async () => {
    for (const text of ['a', 'b', 'c', 'd', 'e']) ask(text);
    expect(await passes(999)).toEqual(['a in 1', 'b in 0']);
    expect(await passes(1)).toEqual(['c in 0', 'd in 0']);
    expect(await passes(999)).toEqual([]);
    expect(await passes(1)).toEqual(['e in 1']);
    expect(waited).toEqual([1, 1, 2]);
    expect(room.outcomes).toEqual({ let_in: 3, left: 0, turned_away: 0 });
  });

  it('move up when one before them hangs up, and its place is free at once', async () => {
    const [, , , gone] = ['a', 'b', 'c', 'd', 'e', 'f'].map((text) => ask(text));
    gone?.destroy();
    expect(await passes(0)).toEqual(['a in 1', 'b in 0', 'd gone']);
    expect(await passes(1_000)).toEqual(['c in 0', 'e in 0']);
    ask('g');
    expect(await passes(1_000)).toEqual(['f in 0', 'g in 0']);
    expect(room.waiting).toBe(0);
  });

  it('use up nothing when they hang up', async () => {
    const asked = ['a', 'b', 'c', 'd'].map((text) => ask(text));
    for (const request of asked.slice(2)) request.destroy();
    await passes(1_000);
    ask('e');
    ask('f');
    expect(await passes(0)).toEqual(['e in 1', 'f in 0']);
  });

  it('do not wait where their client has gone before', async () => {
    ask('a');
    ask('b');
    const request = new IncomingMessage(new Socket()).destroy();
    const taken = store.take('line', WINDOWS, 1, { maxWaitMs: WAIT_MS });
    const candidate = { request, owner: 'owner', name: 'line', look: () => taken };
    await expect(room.wait(candidate, taken)).rejects.toThrow();
    for (const text of ['c', 'd']) ask(text);
    expect(await passes(1_000)).toEqual(['a in 1', 'b in 0', 'c in 0', 'd in 0']);
  });

  it('are so many of one owner at most, whatever they wait for', async () => {
    for (const name of ['x', 'y', 'z'])
      for (let times = 0; times < 4; times += 1) ask(name, 'owner', name);
    const atOnce = await passes(0);
    expect(atOnce.filter((text) => text.startsWith('z'))).toEqual([
      'z in 1',
      'z in 0',
      'z refused 0',
      'z refused 0',
    ]);
    expect([room.waiting, room.full]).toEqual([4, { owner: 2, process: 0 }]);
    ask('other', 'other', 'x');
    expect(await passes(2_000)).toContain('other in 1');
  });

  it('are so many in a process at most, and then again', async () => {
    for (const owner of ['x', 'y', 'z'])
      for (let times = 0; times < 5; times += 1) ask(owner, owner, owner);
    expect((await passes(0)).filter((text) => text.endsWith('refused 0'))).toHaveLength(3);
    expect([room.waiting, room.full]).toEqual([6, { owner: 0, process: 3 }]);
    await passes(2_000);
    expect(room.waiting).toBe(0);
    for (let times = 0; times < 3; times += 1) ask('again', 'x', 'x');
    expect(await passes(1_000)).toEqual(['again in 0', 'again in 0', 'again in 0']);
  });

  it('get nothing where the room was filled while they were counted', async () => {
    const look = () => store.take('line', WINDOWS, 0);
    const places = Array.from({ length: 8 }, () =>
      store.take('line', WINDOWS, 1, { maxWaitMs: WAIT_MS }),
    );
    const outcomes = places.slice(2).map(async (place) => {
      const request = new IncomingMessage(new Socket());
      return (await room.wait({ request, owner: 'owner', name: 'line', look }, place)).allowed;
    });
    await passes(2_000);
    expect(await Promise.all(outcomes)).toEqual([true, true, true, true, false, false]);
    expect([room.full, look().states[0]?.remaining]).toEqual([{ owner: 2, process: 0 }, 0]);
    await passes(1_000);
    expect(look().states[0]?.remaining).toBe(2);
  });

  it('are turned away at a stop where their place comes up too late, and nobody waits that long', async () => {
    for (const text of ['a', 'b', 'c', 'd', 'e']) ask(text);
    room.close(1_500);
    expect(await passes(0)).toEqual(['a in 1', 'b in 0', 'e refused 0']);
    ask('f');
    expect(await passes(1_000)).toEqual(['f refused 0', 'c in 0', 'd in 0']);
    expect(room.outcomes).toEqual({ let_in: 2, left: 0, turned_away: 1 });
  });
});
