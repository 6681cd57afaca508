type Words = readonly [string, ...string[]];

export const FIRST_NAMES: Words = [
  'Ada',
  'Amir',
  'Anna',
  'Ben',
  'Carla',
  'Chen',
  'Dmitri',
  'Elena',
  'Emma',
  'Femi',
  'Grace',
  'Hugo',
  'Ines',
  'Ivan',
  'Jonas',
  'José',
  'Kai',
  'Lena',
  'Liam',
  'Lucía',
  'Maria',
  'Mei',
  'Noah',
  'Olga',
  'Omar',
  'Priya',
  'Rosa',
  'Sofia',
  'Søren',
  'Tom',
  'Yuki',
  'Zoë',
];

export const LAST_NAMES: Words = [
  'Andersen',
  'Bauer',
  'Brown',
  'Costa',
  'Dubois',
  'Eriksson',
  'Fischer',
  'García',
  'Haddad',
  'Ito',
  'Jensen',
  'Kim',
  'Kovač',
  'Lee',
  'Lopez',
  'Martin',
  'Meyer',
  'Müller',
  'Nguyen',
  'Novák',
  'Okafor',
  'O’Brien',
  'Patel',
  'Rossi',
  'Sato',
  'Silva',
  'Smith',
  'Taylor',
  'Tran',
  'Wagner',
  'Wang',
  'Yılmaz',
];

export const CITIES: Words = [
  'Austin',
  'Berlin',
  'Lisboa',
  'Łódź',
  'Lyon',
  'Oslo',
  'Toronto',
  'Zürich',
];

export const CAMPAIGNS: Words = ['spring-sale', 'launch', 'retarget', 'newsletter', 'review'];
export const SOURCES: Words = ['google', 'facebook', 'newsletter', 'youtube', 'blog'];
export const MEDIUMS: Words = ['cpc', 'email', 'social', 'referral'];

export interface DemoProduct {
  readonly id: number;
  /** Which of the vendors. */
  readonly vendor: 0 | 1 | 2;
  readonly name: string;
  readonly price: number;
  readonly period: number;
}

/** Prices in cents. Products with a `period` (days) are paid again and again. */
export const DEMO_PRODUCTS: readonly [DemoProduct, ...DemoProduct[]] = [
  { id: 101, vendor: 0, name: 'Watercolour in 30 Days', price: 4700, period: 0 },
  { id: 102, vendor: 0, name: 'Portrait Masterclass', price: 19700, period: 0 },
  { id: 103, vendor: 0, name: 'Studio Membership', price: 2700, period: 30 },
  { id: 201, vendor: 1, name: 'Trail Running Plan', price: 3700, period: 0 },
  { id: 202, vendor: 1, name: 'Marathon Coaching', price: 9700, period: 30 },
  { id: 203, vendor: 1, name: 'Recovery Cookbook', price: 1995, period: 0 },
  { id: 301, vendor: 2, name: 'Spreadsheet Templates', price: 2900, period: 0 },
  { id: 302, vendor: 2, name: 'Bookkeeping for One', price: 14900, period: 0 },
];

export const DEMO_VENDORS = ['Brushwork Academy', 'Longrun Labs', 'Tidy Ledger Co.'] as const;
