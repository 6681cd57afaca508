import type { Session } from '../../../database/database.js';

/** Counts the records that the sources and upstreams of a vendor created, up to a limit. */
type Count = (session: Session, vendor_id: number, limit: number) => Promise<number>;

/**
 * Counts down the records of a type that the sources and upstreams of a vendor may still create.
 */
export class CreatedBySource {
  private constructor(
    /** Name of the setting, for the problem of a record beyond the limit. */
    private readonly setting: string,
    private readonly most: number,
    private left: number,
  ) {}

  /**
   * Counts the existing records. The caller holds the lock of the vendor, so none is created
   * meanwhile.
   */
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

  /**
   * Counts a new record.
   * @returns the reason if no more may be created, or null
   */
  take(): string | null {
    if (this.isFull) {
      const most = this.most.toLocaleString('en');
      return `id: the sources and upstreams of this vendor may create at most ${most} (${this.setting})`;
    }
    this.left -= 1;
    return null;
  }
}
