import type { Session } from '../../../database/database.js';

/** Counts what the sources and upstreams of a vendor created, up to a limit. */
type Count = (session: Session, vendor_id: number, limit: number) => Promise<number>;

/** How many records of a type the sources and upstreams of a vendor may still create. */
export class CreatedBySource {
  private constructor(
    /** Names the bound in the problem of a record beyond it. */
    private readonly setting: string,
    private readonly most: number,
    private left: number,
  ) {}

  /** Counts what is there. The vendor is locked, so that nothing is created meanwhile. */
  static async count(
    session: Session,
    vendor_id: number,
    bound: { readonly setting: string; readonly most: number; readonly count: Count },
  ): Promise<CreatedBySource> {
    const { setting, most, count } = bound;
    return new CreatedBySource(setting, most, most - (await count(session, vendor_id, most)));
  }

  /** True if nothing more may be created. */
  get isFull(): boolean {
    return this.left <= 0;
  }

  /** Takes the place of a new record. @returns why it has none, or null */
  take(): string | null {
    if (this.isFull) {
      const most = this.most.toLocaleString('en');
      return `id: the sources and upstreams of this vendor may create at most ${most} (${this.setting})`;
    }
    this.left -= 1;
    return null;
  }
}
