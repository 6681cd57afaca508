/** What a vendor earned in a month, and wanted to. Money in cents. */
export interface MonthlyPayout {
  readonly month: string;
  readonly seller_earnings: number;
  /** Null where no goal is set. */
  readonly goal: number | null;
}
