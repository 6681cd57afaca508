/** Identifies a person among a vendor's customers. */
export interface PersonAtVendor {
  readonly vendor_id: number;
  /** E-mail address. The case of the letters A to Z does not matter. */
  readonly email: string;
}

export interface PersonSales {
  readonly sales: number;
  /** Dates are in UTC and null without sales. */
  readonly first_sale: string | null;
  readonly last_sale: string | null;
}
