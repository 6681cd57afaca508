/** A person among a vendor's buyers. */
export interface PersonAtVendor {
  readonly vendor_id: number;
  /** In any case of the letters A to Z. */
  readonly email: string;
}

export interface PersonSales {
  readonly sales: number;
  /** In UTC; null without sales. */
  readonly first_sale: string | null;
  readonly last_sale: string | null;
}
