const BRUSHWORK = { id: 1001, name: 'Brushwork Academy' };
const LONGRUN = { id: 1002, name: 'Longrun Labs' };
const TIDY = { id: 1003, name: 'Tidy Ledger Co.' };

export const DEMO_VENDORS = [BRUSHWORK, LONGRUN, TIDY] as const;

/** The key of this vendor is shown on the first start. */
export const DEMO_VENDOR_ID = BRUSHWORK.id;

export interface DemoProduct {
  readonly id: number;
  readonly vendor: typeof BRUSHWORK;
  readonly name: string;
  /** Price in cents. */
  readonly price: number;
  /** Number of days between two payments, or 0 for a single payment. */
  readonly period: number;
  /** Number of payments that a customer agrees to. */
  readonly payments: number;
}

const ONCE = { period: 0, payments: 1 } as const;

/** The product of the refund wave. */
export const WAVE_PRODUCT: DemoProduct = {
  id: 102,
  vendor: BRUSHWORK,
  name: 'Portrait Masterclass',
  price: 19700,
  ...ONCE,
};
/** The product whose launch the reports show. There are no sales before it. */
export const LAUNCHED: DemoProduct = {
  id: 104,
  vendor: BRUSHWORK,
  name: 'Colour Theory Live',
  price: 12900,
  ...ONCE,
};

/** Products that were there from the first sale on. */
export const FIRST_PRODUCTS: readonly DemoProduct[] = [
  { id: 101, vendor: BRUSHWORK, name: 'Watercolour in 30 Days', price: 4700, ...ONCE },
  WAVE_PRODUCT,
  { id: 103, vendor: BRUSHWORK, name: 'Studio Membership', price: 2700, period: 30, payments: 24 },
  { id: 201, vendor: LONGRUN, name: 'Trail Running Plan', price: 3700, ...ONCE },
  { id: 202, vendor: LONGRUN, name: 'Marathon Coaching', price: 9700, period: 30, payments: 6 },
  { id: 203, vendor: LONGRUN, name: 'Recovery Cookbook', price: 1995, ...ONCE },
  { id: 301, vendor: TIDY, name: 'Spreadsheet Templates', price: 2900, ...ONCE },
  { id: 302, vendor: TIDY, name: 'Bookkeeping for One', price: 14900, ...ONCE },
];

export const DEMO_PRODUCTS: readonly DemoProduct[] = [...FIRST_PRODUCTS, LAUNCHED];
