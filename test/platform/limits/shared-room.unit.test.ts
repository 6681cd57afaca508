import { describe, expect, it } from '@jest/globals';
import { SharedRoom, type Share } from '../../../src/platform/limits/memory/shared-room.js';

const refusal = () => new Error('refused');
const [ANNA, BEN, CEM] = [1, 2, 3];

/** Takes up to this many places of an account, as far as there is room. */
function takeAll(room: SharedRoom, account: number, count: number): Share[] {
  const taken = Array.from({ length: count }, () => room.tryTake(account, 1));
  return taken.filter((share) => share !== null);
}

/** Waits for a place, and adds the account to the list when it gets one. */
function waitIn(room: SharedRoom, account: number, served: number[]): Promise<Share> {
  return room.take(account, 1).then((share) => {
    served.push(account);
    return share;
  });
}

describe('room that accounts share', () => {
  it('leaves an account as much for others as it has itself', () => {
    const room = new SharedRoom({ size: 16, waitMs: 0, refusal });
    expect(takeAll(room, ANNA, 16)).toHaveLength(8);
    expect(takeAll(room, BEN, 16)).toHaveLength(4);
    expect(takeAll(room, CEM, 16)).toHaveLength(2);
    // The last accounts get a place each, as long as there is one.
    expect(takeAll(room, 4, 2)).toHaveLength(1);
    expect(takeAll(room, 5, 2)).toHaveLength(1);
    expect(takeAll(room, 6, 2)).toHaveLength(0);
    expect(room.used).toBe(16);
  });

  it('gives an account one share of any size, and lets it grow as far as there is room', () => {
    const room = new SharedRoom({ size: 16, waitMs: 0, refusal });
    const share = room.tryTake(ANNA, 0);
    expect(share?.tryGrow(15)).toBe(true);
    expect(share?.tryGrow(2)).toBe(false);
    expect(room.tryTake(ANNA, 1)).toBeNull();
    expect(room.tryTake(BEN, 1)).not.toBeNull();
    share?.free();
    share?.free();
    expect(room.used).toBe(1);
  });

  it('serves those who wait by account, and within an account in their order', async () => {
    const room = new SharedRoom({ size: 1, waitMs: Infinity, refusal });
    const first = await room.take(ANNA, 1);
    const served: number[] = [];
    const waiting = [ANNA, ANNA, ANNA, BEN, CEM, BEN].map((account) =>
      waitIn(room, account, served).then(({ free }) => {
        free();
      }),
    );
    first.free();
    await Promise.all(waiting);
    expect(served).toEqual([ANNA, BEN, CEM, ANNA, BEN, ANNA]);
    expect(room.used).toBe(0);
    expect(room.counts).toEqual({ waited: 6, refused: 0 });
  });

  it('refuses whoever waits too long, and at once whoever is one too many', async () => {
    const room = new SharedRoom({ size: 1, waitMs: 1, refusal, maxWaiting: 1 });
    const first = await room.take(ANNA, 1);
    const second = room.take(BEN, 1);
    await expect(room.take(BEN, 1)).rejects.toThrow('refused');
    await expect(second).rejects.toThrow('refused');
    expect(room.counts).toEqual({ waited: 1, refused: 2 });
    first.free();
    (await room.take(BEN, 1)).free();
  });

  it('forgets who is gone, and serves who waited behind', async () => {
    const room = new SharedRoom({ size: 2, waitMs: Infinity, refusal });
    const first = await room.take(ANNA, 1);
    const gone = new AbortController();
    const large = room.take(BEN, 2, { isGone: gone.signal });
    const small = room.take(BEN, 1);
    gone.abort();
    await expect(large).rejects.toThrow('refused');
    (await small).free();
    first.free();
    expect(room.used).toBe(0);
  });

  it('counts what is added beyond its size, and what shrinks makes room', async () => {
    const room = new SharedRoom({ size: 4, waitMs: Infinity, refusal });
    const added = room.add(ANNA, 6);
    const waiting = room.take(BEN, 2);
    added.resize(2);
    (await waiting).free();
    added.free();
    expect(room.used).toBe(0);
  });
});
