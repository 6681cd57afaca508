import { DAY_MS } from '../../platform/values/time.js';
import { type DemoProduct, DEMO_PRODUCTS, LAUNCHED, WAVE_PRODUCT } from './demo-products.js';
import type { SeededRandom } from './seeded-random.js';

/** A city with the names that are common there, so that no customer contradicts the address. */
interface Place {
  readonly city: string;
  readonly country: string;
  /** Value-added tax in percent; 0 where the vendors collect none. */
  readonly vat: number;
  readonly firstNames: readonly string[];
  readonly lastNames: readonly string[];
}

export const PLACES: readonly Place[] = [
  place('Austin', 'US', 0, 'Ada Ben Emma Grace Liam', 'Brown O’Brien Smith Taylor'),
  place('Berlin', 'DE', 19, 'Anna Jonas Kai Lena', 'Bauer Fischer Meyer Wagner Müller'),
  place('Lisboa', 'PT', 23, 'Ines João Maria Rui', 'Costa Ferreira Silva'),
  place('Łódź', 'PL', 23, 'Ewa Jakub Olga Tomasz', 'Kowal Mazur Nowak'),
  place('Lyon', 'FR', 20, 'Camille Hugo Léa Noé', 'Dubois Lefèvre Moreau'),
  place('Oslo', 'NO', 25, 'Ingrid Lars Nora Søren', 'Andersen Dahl Jensen'),
  place('Toronto', 'CA', 0, 'Amir Mei Noah Priya Zoë', 'Haddad Nguyen Patel Tran Wang'),
  place('Zürich', 'CH', 0, 'Beat Luca Regula Urs', 'Frei Keller Steiner'),
  place('Valencia', 'ES', 21, 'Carla Iván Lucía Omar', 'García López Navarro'),
  place('Kyoto', 'JP', 0, 'Aiko Haru Ren Yuki', 'Ito Mori Sato'),
];

function place(
  city: string,
  country: string,
  vat: number,
  firstNames: string,
  lastNames: string,
): Place {
  const words = (text: string) => text.split(' ');
  return { city, country, vat, firstNames: words(firstNames), lastNames: words(lastNames) };
}

export interface Customer {
  readonly place: Place;
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly ip: string;
}

export function customerOf(random: SeededRandom): Customer {
  const home = random.oneOf(PLACES);
  const first_name = random.oneOf(home.firstNames);
  const last_name = random.oneOf(home.lastNames);
  const name = `${first_name}.${last_name}`.normalize('NFD').toLowerCase();
  const letters = name
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l')
    .replaceAll(/[^a-z.]/g, '');
  const email = `${letters}${random.integer(1, 9_999)}@customers.example`;
  return { place: home, email, first_name, last_name, ip: `192.0.2.${random.integer(1, 254)}` };
}

export const FIRST_AFFILIATE_ID = 2001;
export const AFFILIATES = 40;
/** The affiliate of the refund wave. */
const WAVE_INDEX = 6;
export const WAVE_AFFILIATE_ID = FIRST_AFFILIATE_ID + WAVE_INDEX;
/** The refund wave begins this many days before today. */
export const WAVE_BEGINS = 130;
export const WAVE_DAYS = 18;
/** The sale of the launched product begins this many days before today. */
export const LAUNCH_BEGINS = 75;

const SITES = [
  'The Sketchbook Club',
  'Ink & Paper Weekly',
  'Daily Brush',
  'Canvas Corner',
  'Colour Notes',
  'Studio Diary',
  'Easel and Light',
  'Paint Along',
  'Trail Letters',
  'Mile Markers',
  'The Long Run',
  'Finish Line Blog',
  'Run Slow Club',
  'Hill Repeats',
  'Kitchen After Miles',
  'Plain Ledger',
  'Tidy Numbers',
  'Side Income Post',
  'Freelance Desk',
  'The One-Person Firm',
  'Receipts & Coffee',
  'Quiet Productivity',
  'Maker Mondays',
  'Learn by Doing',
  'Course Compass',
  'Good Finds',
  'Weekend Classes',
  'Evening School',
] as const;
/** Affiliates are in groups of 10, in which these have no display name. */
const WITHOUT_DISPLAY_NAME = [2, 5, 9];

export interface DemoAffiliate {
  readonly id: number;
  readonly name: string;
  readonly display_name: string | null;
}

/** Returns the affiliates. No two have the same name or display name. */
export function demoAffiliates(): DemoAffiliate[] {
  const sites = SITES.values();
  return Array.from({ length: AFFILIATES }, (_, index) => {
    const home = PLACES[index % PLACES.length];
    const turn = Math.floor(index / PLACES.length);
    const [first, last] = [at(home?.firstNames, turn), at(home?.lastNames, turn)];
    const isNamed = !WITHOUT_DISPLAY_NAME.includes(index % 10);
    const display_name = isNamed ? (sites.next().value ?? null) : null;
    return { id: FIRST_AFFILIATE_ID + index, name: `${first} ${last}`, display_name };
  });
}

function at(names: readonly string[] = [], index: number): string {
  return names[index % names.length] ?? '';
}

/** Terms of an affiliate for a product. Only approved ones lead to sales, after `created`. */
export interface DemoTerms {
  readonly affiliate_id: number;
  readonly product: DemoProduct;
  /** In milliseconds since 1970. */
  readonly created: number;
  readonly status: 'APPROVED' | 'REQUESTED' | 'DENIED';
  readonly comments: string | null;
  /** In percent, or null for the product's commission. */
  readonly custom_commission: number | null;
  readonly delayed_commission: boolean;
}

/** Affiliates who have been there since before the first sale; the others joined later. */
const FOUNDING = 24;
/** Affiliates from this one on wait for an answer. */
const WAITING = 37;
/** Affiliates who were denied at once and never sold anything. */
const NEVER_APPROVED = [29, 33];
const COMMISSIONS = [30, 40, 60, 70];
const HOUR_MS = 3_600_000;

/** @param begin time before which the founding affiliates have their terms */
export function demoTerms(random: SeededRandom, begin: number, today: number): DemoTerms[] {
  const all: DemoTerms[] = [];
  for (let index = 0; index < AFFILIATES; index += 1) {
    if (index === WAVE_INDEX) {
      all.push(termsOfWave(today));
      continue;
    }
    const joined = index < FOUNDING ? begin - daysOf(random, 10, 150) : null;
    for (const product of productsOf(index)) {
      const created =
        product === LAUNCHED
          ? today - LAUNCH_BEGINS * DAY_MS - daysOf(random, 5, 20)
          : (joined ?? today - daysOf(random, 30, 330));
      const custom_commission = random.chance(0.3) ? random.oneOf(COMMISSIONS) : null;
      const terms = { affiliate_id: FIRST_AFFILIATE_ID + index, product, custom_commission };
      all.push({
        ...terms,
        ...answerOf(index),
        created: index < WAITING ? created : today - daysOf(random, 1, 14),
        delayed_commission: random.chance(0.2),
      });
    }
  }
  return all;
}

/** Returns a time span of whole days, and of some hours so that it ends during the day. */
function daysOf(random: SeededRandom, least: number, most: number): number {
  return random.integer(least, most) * DAY_MS - random.integer(8, 19) * HOUR_MS;
}

/** Returns the products of several vendors that an affiliate has terms for. */
function productsOf(index: number): DemoProduct[] {
  const steps = index < FOUNDING ? [0, 2, 4, 7] : [0, 3];
  const own = index < WAITING ? steps : [0];
  return own.flatMap((step) => DEMO_PRODUCTS[(index + step) % DEMO_PRODUCTS.length] ?? []);
}

function answerOf(index: number): Pick<DemoTerms, 'status' | 'comments'> {
  if (index >= WAITING) return { status: 'REQUESTED', comments: 'I write about this every week.' };
  if (NEVER_APPROVED.includes(index)) {
    return { status: 'DENIED', comments: 'The site has no articles on this subject.' };
  }
  return { status: 'APPROVED', comments: index % 5 === 0 ? 'Met at the spring fair.' : null };
}

/** The affiliate of the refund wave was denied after it, and has sold nothing since. */
function termsOfWave(today: number): DemoTerms {
  return {
    affiliate_id: WAVE_AFFILIATE_ID,
    product: WAVE_PRODUCT,
    created: today - (WAVE_BEGINS + 10) * DAY_MS + 9 * HOUR_MS,
    status: 'DENIED',
    comments: 'Promised personal lessons that nobody offers. Most buyers wanted their money back.',
    custom_commission: null,
    delayed_commission: true,
  };
}

/**
 * Returns the terms of the affiliate who refers a sale, or null for a sale without one. Always draws
 * the same number of random values, so that later draws do not depend on who could sell.
 */
export function referrerOf(
  random: SeededRandom,
  terms: readonly DemoTerms[],
  product: DemoProduct,
  time: number,
): DemoTerms | null {
  const isReferred = random.chance(0.6);
  // Few affiliates sell much, and many sell little.
  const rank = random.fraction() ** 1.6;
  const able = terms
    .filter((each) => each.product === product && each.status === 'APPROVED' && each.created < time)
    .sort((one, other) => rankOf(one) - rankOf(other));
  return isReferred ? (able[Math.floor(rank * able.length)] ?? null) : null;
}

/** Returns the place of an affiliate in the order of success. The factor has no meaning. */
function rankOf({ affiliate_id }: DemoTerms): number {
  return ((affiliate_id - FIRST_AFFILIATE_ID) * 3 + AFFILIATES / 2) % AFFILIATES;
}
