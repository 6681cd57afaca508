import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { LimitStore, type LimitResult } from '../../../src/platform/limits/store/limit-store.js';
import { MemoryLimitStore } from '../../../src/platform/limits/store/memory-limit-store.js';
import { LimitQueues } from '../../../src/platform/limits/waiting-requests.js';
import { parseLimitWindows } from '../../../src/platform/limits/limit-windows.js';

const WINDOWS = parseLimitWindows('2/1s') ?? [];
const OFTEN = parseLimitWindows('1000/1s') ?? [];
const WAIT_MS = 3_000;
/** Milliseconds that a request may wait longer. */
const LATE_MS = 20;

/** Replies later, as a store in another process does. */
class LateStore extends LimitStore {
  readonly isShared = true;

  constructor(private readonly counted: LimitStore) {
    super();
  }

  override async take(...asked: Parameters<LimitStore['take']>): Promise<LimitResult> {
    return this.counted.take(...asked);
  }
}

/** Counts some requests of another process before the next one of this process. */
class SharedStore extends MemoryLimitStore {
  elsewhere = 0;

  override take(...asked: Parameters<MemoryLimitStore['take']>): LimitResult {
    for (; this.elsewhere > 0; this.elsewhere -= 1) {
      super.take({ name: 'line', windows: WINDOWS, count: 1 });
    }
    return super.take(...asked);
  }
}

let store: MemoryLimitStore;
let room: LimitQueues;
let waited: number[];
let told: string[];
beforeEach(() => {
  jest.useFakeTimers();
  store = new MemoryLimitStore();
  [waited, told] = [[], []];
  room = roomOn(store);
});
afterEach(() => {
  jest.useRealTimers();
});

function roomOn(counting: LimitStore): LimitQueues {
  const capacity = { owner: 4, process: 6 };
  return new LimitQueues(counting, capacity, WAIT_MS, (seconds) => waited.push(seconds));
}

/** Requests a place, and records the outcome. */
function ask(text: string, owner = 'owner', name = 'line', ofOwner = OFTEN): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  const beside = { name: owner, windows: ofOwner };
  room.take({ request, owner, name, windows: WINDOWS, beside }).then(
    ({ result: { allowed, states } }) => {
      told.push(`${text} ${allowed ? 'in' : 'refused'} ${states[0]?.remaining}`);
    },
    () => told.push(`${text} gone`),
  );
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
    for (const text of ['a', 'b']) ask(text);
    const gone = ask('gone');
    gone.destroy();
    const candidate = { request: gone, owner: 'owner', name: 'line', windows: WINDOWS };
    await expect(room.take(candidate)).rejects.toThrow();
    expect(await passes(0)).toEqual(['a in 1', 'b in 0', 'gone gone']);
    for (const text of ['c', 'd']) ask(text);
    expect(await passes(1_000)).toEqual(['c in 0', 'd in 0']);
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
    room = roomOn(new LateStore(store));
    for (let times = 0; times < 8; times += 1) ask('line');
    expect(await passes(0)).toEqual(['line in 1', 'line in 0', 'line refused 0', 'line refused 0']);
    expect([room.waiting, room.full]).toEqual([4, { owner: 2, process: 0 }]);
    expect(await passes(1_000)).toEqual(['line in 0', 'line in 0']);
    expect(await passes(1_000)).toEqual(['line in 0', 'line in 0']);
  });

  it('wait on in their order where another process took the places, and are refused at last', async () => {
    const shared = new SharedStore();
    room = roomOn(shared);
    for (const text of ['a', 'b', 'c', 'd']) ask(text);
    expect(await passes(999)).toEqual(['a in 1', 'b in 0']);
    shared.elsewhere = 2;
    expect(await passes(1_000)).toEqual([]);
    shared.elsewhere = 1;
    expect(await passes(1)).toEqual(['c in 0']);
    expect(await passes(999)).toEqual([]);
    shared.elsewhere = 2;
    expect(await passes(1)).toEqual([]);
    expect(await passes(LATE_MS)).toEqual(['d refused 0']);
    expect(room.outcomes).toEqual({ let_in: 1, left: 0, turned_away: 1 });
  });

  it('come in as they asked, also from several applications of one owner', async () => {
    const asked = ['x', 'y', 'y', 'x', 'y'];
    for (const [place, name] of asked.entries()) ask(`${place}`, 'owner', name, WINDOWS);
    expect(await passes(0)).toEqual(['0 in 1', '1 in 1']);
    expect(await passes(1_000)).toEqual(['2 in 1', '3 in 1']);
    expect(await passes(1_000)).toEqual(['4 in 1']);
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
