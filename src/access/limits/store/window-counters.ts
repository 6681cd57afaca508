import type { WindowCells } from './window-cells.js';

/** With each new one, how many others are looked at: more than one, so that what is over goes. */
const LOOKED_AT = 2;

/** The windows that are being counted, by name; in the order in which they were last asked for. */
export class WindowCounters {
  private readonly counters = new Map<string, WindowCells>();
  private next = this.counters.entries();

  /** @param most of them; who asked longest ago is forgotten first */
  constructor(private readonly most: number) {}

  get size(): number {
    return this.counters.size;
  }

  /** @returns undefined where nothing is counted now */
  get(name: string, now: number): WindowCells | undefined {
    const found = this.counters.get(name);
    if (found === undefined) return undefined;
    this.counters.delete(name);
    if (!found.reaches(now)) return undefined;
    this.counters.set(name, found);
    return found;
  }

  set(name: string, cells: WindowCells, now: number): void {
    this.forgetEnded(now);
    this.counters.set(name, cells);
    if (this.counters.size <= this.most) return;
    const { value: oldest } = this.counters.keys().next();
    if (oldest !== undefined) this.counters.delete(oldest);
  }

  /** Otherwise each address that ever asked takes memory until the most are reached. */
  private forgetEnded(now: number): void {
    for (let looked = 0; looked < LOOKED_AT; looked += 1) {
      const { value, done } = this.next.next();
      if (done === true) {
        this.next = this.counters.entries();
        return;
      }
      const [name, cells] = value;
      if (!cells.reaches(now)) this.counters.delete(name);
    }
  }
}
