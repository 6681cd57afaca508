import { MAX_PAGE_SIZE, type PagePlace } from './list-page.js';

/** Smaller pages would bring too few new sales. */
const MIN_PAGE_SIZE = 100;

/**
 * Returns the page that contains a place of the list and as many places as possible after it. Pages
 * begin at multiples of their size, so sizes are tried until one begins shortly before the place.
 */
export function pageHolding(place: number): PagePlace {
  let best = placeOf(place, MAX_PAGE_SIZE);
  for (let size = MAX_PAGE_SIZE - 1; size >= MIN_PAGE_SIZE; size -= 1) {
    const page = placeOf(place, size);
    if (endOf(page) > endOf(best)) best = page;
  }
  return best;
}

function placeOf(place: number, size: number): PagePlace {
  return { size, index: Math.floor(place / size) };
}

function endOf({ size, index }: PagePlace): number {
  return size * (index + 1);
}
