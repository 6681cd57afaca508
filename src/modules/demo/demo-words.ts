export const FIRST_NAMES = words(`
  Ada Amir Anna Ben Carla Chen Dmitri Elena Emma Femi Grace Hugo Ines Ivan Jonas José Kai Lena
  Liam Lucía Maria Mei Noah Olga Omar Priya Rosa Sofia Søren Tom Yuki Zoë
`);
export const LAST_NAMES = words(`
  Andersen Bauer Brown Costa Dubois Eriksson Fischer García Haddad Ito Jensen Kim Kovač Lee
  Lopez Martin Meyer Müller Nguyen Novák Okafor O’Brien Patel Rossi Sato Silva Smith Taylor
  Tran Wagner Wang Yılmaz
`);
export const CITIES = words('Austin Berlin Lisboa Łódź Lyon Oslo Toronto Zürich');

export const CAMPAIGNS = words('spring-sale launch retarget newsletter review');
export const SOURCES = words('google facebook newsletter youtube blog');
export const OWN_SOURCES = words('newsletter shop blog');
export const MEDIUMS = words('cpc email social referral');

const BRUSHWORK = { id: 1001, name: 'Brushwork Academy' };
const LONGRUN = { id: 1002, name: 'Longrun Labs' };
const TIDY = { id: 1003, name: 'Tidy Ledger Co.' };

export const DEMO_VENDORS = [BRUSHWORK, LONGRUN, TIDY] as const;

/** The key of this vendor is shown on the first start. */
export const DEMO_VENDOR_ID = BRUSHWORK.id;

export const FIRST_AFFILIATE_ID = 2001;
export const AFFILIATES = 40;
/** The affiliate of the refund wave. */
export const WAVE_AFFILIATE_ID = FIRST_AFFILIATE_ID + 6;

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

export const DEMO_PRODUCTS: readonly DemoProduct[] = [
  { id: 101, vendor: BRUSHWORK, name: 'Watercolour in 30 Days', price: 4700, ...ONCE },
  { id: 102, vendor: BRUSHWORK, name: 'Portrait Masterclass', price: 19700, ...ONCE },
  { id: 103, vendor: BRUSHWORK, name: 'Studio Membership', price: 2700, period: 30, payments: 24 },
  { id: 201, vendor: LONGRUN, name: 'Trail Running Plan', price: 3700, ...ONCE },
  { id: 202, vendor: LONGRUN, name: 'Marathon Coaching', price: 9700, period: 30, payments: 6 },
  { id: 203, vendor: LONGRUN, name: 'Recovery Cookbook', price: 1995, ...ONCE },
  { id: 301, vendor: TIDY, name: 'Spreadsheet Templates', price: 2900, ...ONCE },
  { id: 302, vendor: TIDY, name: 'Bookkeeping for One', price: 14900, ...ONCE },
];

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
