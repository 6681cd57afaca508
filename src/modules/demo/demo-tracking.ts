import type { SeededRandom } from './seeded-random.js';

/** Sources of visitors, each with its medium. */
const SOURCES = [
  ['google', 'cpc'],
  ['facebook', 'social'],
  ['youtube', 'video'],
  ['newsletter', 'email'],
  ['blog', 'referral'],
] as const;
const OWN_SOURCES = [
  ['newsletter', 'email'],
  ['shop', 'referral'],
  ['blog', 'referral'],
] as const;
/** Campaigns by month. */
const CAMPAIGNS = [
  'new-year',
  'new-year',
  'spring-sale',
  'spring-sale',
  'spring-sale',
  'summer-class',
  'summer-class',
  'summer-class',
  'autumn-start',
  'autumn-start',
  'black-friday',
  'gift-guide',
] as const;
const LAUNCH = 'launch';

interface TrackedSale {
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly affiliate_id: number | null;
  readonly isOfLaunch: boolean;
}

export function trackingOf(random: SeededRandom, sale: TrackedSale) {
  const month = CAMPAIGNS[new Date(sale.at).getUTCMonth()] ?? LAUNCH;
  const campaign = sale.isOfLaunch ? LAUNCH : month;
  return sale.affiliate_id === null
    ? ownTracking(random, campaign)
    : referredTracking(random, sale.affiliate_id, campaign);
}

/** Returns the tracking of a referred sale. Most visitors of an affiliate are from one source. */
function referredTracking(random: SeededRandom, affiliate_id: number, campaign: string) {
  const usual = SOURCES[affiliate_id % SOURCES.length] ?? SOURCES[0];
  const [utm_source, utm_medium] = random.chance(0.8) ? usual : random.oneOf(SOURCES);
  return {
    tid: `${campaign}-${random.integer(1, 6)}`,
    utm_source,
    utm_medium,
    utm_campaign: campaign,
    sub_id1: random.chance(0.5) ? random.text(8) : null,
    gclid: utm_source === 'google' ? random.text(24) : null,
  };
}

/**
 * Returns the tracking of a sale without an affiliate. These sales come from the vendor's own pages
 * and newsletters.
 */
function ownTracking(random: SeededRandom, campaign: string) {
  if (random.chance(0.3)) return null;
  const [utm_source, utm_medium] = random.oneOf(OWN_SOURCES);
  return {
    vtid: random.chance(0.2) ? `page-${random.integer(1, 9)}` : null,
    utm_source,
    utm_medium,
    utm_campaign: campaign,
    sub_id2: random.chance(0.3) ? `banner-${random.integer(1, 6)}` : null,
  };
}

/** Returns the page from which a customer came. */
export function referrerPage(random: SeededRandom): string {
  return `https://www.example/${random.oneOf(SOURCES)[0]}`;
}
