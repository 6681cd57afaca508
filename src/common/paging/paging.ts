/** Interface 8: the bounds of a page. */
export const PAGE_SIZE = { least: 1, most: 200, fallback: 50 } as const;
export const PAGE_INDEX = { least: 0, most: 2_147_483_647, fallback: 0 } as const;

export interface PageRequest {
  /** Items on a page, 1 to 200. */
  readonly page_size: number;
  /** Which page, from 0. */
  readonly page_index: number;
}

/** What a paged list adds to `meta` (interface 2.1, 2.3). */
export interface PagedMeta {
  readonly total_count: number;
  readonly pagination: PageRequest & { readonly has_more: boolean };
}

/** How many items stand before the page. */
export function itemsBefore(page: PageRequest): number {
  return page.page_index * page.page_size;
}

export function pagedMeta(page: PageRequest, total_count: number): PagedMeta {
  const { page_size, page_index } = page;
  return {
    total_count,
    pagination: { page_size, page_index, has_more: itemsBefore(page) + page_size < total_count },
  };
}
