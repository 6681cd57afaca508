/** Limits and default of the parameter `page_size`. */
export const PAGE_SIZE = { min: 1, max: 200, default: 50 } as const;
/** Limits and default of the parameter `page_index`. */
export const PAGE_INDEX = { min: 0, max: 2_147_483_647, default: 0 } as const;

/** A page of a list. */
export interface PageRequest {
  readonly page_size: number;
  /** Index of the page, counted from 0. */
  readonly page_index: number;
}

/** A paged list adds this to `meta`: its total count and its page. */
export interface PagedMeta {
  readonly total_count: number;
  readonly pagination: PageRequest & { readonly has_more: boolean };
}

/** Returns the number of items before the page. */
export function itemsBefore(page: PageRequest): number {
  return page.page_index * page.page_size;
}

/** Returns the fields that a paged list adds to `meta`. */
export function pagedMeta(page: PageRequest, total_count: number): PagedMeta {
  const { page_size, page_index } = page;
  return {
    total_count,
    pagination: { page_size, page_index, has_more: itemsBefore(page) + page_size < total_count },
  };
}
