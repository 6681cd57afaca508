import { numberText } from '../reports/figures.view.js';
import type { Visit } from '../session/visit.js';

interface Properties {
  /** Page number, starting at 1. */
  readonly page: number;
  readonly pages: number;
  readonly to: (page: number) => string;
}

/** Links to the preceding and the next page; shows nothing if there is only one page. */
export function PageLinks({ page, pages, to }: Properties) {
  if (pages === 1) return null;
  return (
    <nav class="pages" aria-label="Pages">
      {page > 1 && (
        <a class="button quiet" href={to(page - 1)} rel="prev">
          Previous
        </a>
      )}
      <span>
        Page {numberText(page)} of {numberText(pages)}
      </span>
      {page < pages && (
        <a class="button quiet" href={to(page + 1)} rel="next">
          Next
        </a>
      )}
    </nav>
  );
}

/**
 * Returns the page number in the address, starting at 1; a number that cannot be parsed means the
 * first page.
 */
export function pageIn(visit: Visit): number {
  return /^[1-9]\d{0,8}$/.test(visit.query('page')) ? Number(visit.query('page')) : 1;
}
