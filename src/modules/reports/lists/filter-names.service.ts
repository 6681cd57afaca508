import { Injectable } from '@nestjs/common';
import type { Reader } from '../../../platform/database/database.js';
import { LedgerReadsService } from '../../../ledger/revisions/ledger-reads.service.js';
import { endOfMonth, monthOf, monthsAfter } from '../../../platform/values/time.js';
import { ProductsService } from '../../products/index.js';
import { FigureReadsService } from '../figures/figure-reads.service.js';
import type { ItemGroup } from '../figures/figure.model.js';
import { foldedName, ItemNamesService } from '../item-names.service.js';
import type { DayRange, Viewer } from '../report.model.js';
import { FiguresRepository } from '../sums/figures.repository.js';

/** Limits how many names a filter offers and searches. */
const MAX_PRODUCTS = 200;
const MAX_PARTNERS = 200;
/** Months at the end of a range whose partners are offered first. */
const RECENT_MONTHS = 3;
const MAX_SEARCHED = 5_000;
/** Maximum number of names that a search returns. */
const MAX_FOUND = 20;

/** Names of products or partners by id. */
type Names = ReadonlyMap<number, string>;

/** The names that the filter of a list offers. */
export interface OfferedNames {
  readonly product: Names;
  /** True if `product` has all products of the vendor. */
  readonly hasAllProducts: boolean;
  readonly partner: Names;
}

/** Fields of a filter that take a name. */
export type NamedField = 'product' | 'partner';

/** Finds the names by which lists are filtered. */
@Injectable()
export class FilterNamesService {
  constructor(
    private readonly products: ProductsService,
    private readonly figures: FigureReadsService,
    private readonly sums: FiguresRepository,
    private readonly names: ItemNamesService,
    private readonly reads: LedgerReadsService,
  ) {}

  /**
   * Returns the first products of a vendor by name, and partners that have sold, highest gross
   * first. Affiliates do not see the ids of products.
   */
  async offered(viewer: Viewer, range: DayRange): Promise<OfferedNames> {
    const [products, partner] = await Promise.all([
      viewer.role === 'vendor' ? this.products.firstOf(viewer.user_id, MAX_PRODUCTS + 1) : [],
      this.offeredPartners(viewer, range),
    ]);
    return {
      product: namesOf(products.slice(0, MAX_PRODUCTS)),
      hasAllProducts: viewer.role === 'vendor' && products.length <= MAX_PRODUCTS,
      partner,
    };
  }

  /**
   * Returns the names of a product and an affiliate of a vendor, if the vendor may see them.
   * Affiliates see the names of their vendors in their lists only.
   */
  async namesOf(
    viewer: Viewer,
    { product, partner }: Readonly<Record<NamedField, number | undefined>>,
  ): Promise<Readonly<Record<NamedField, Names>>> {
    if (viewer.role === 'affiliate') return { product: new Map(), partner: new Map() };
    const idsOf = (id: number | undefined) => (id === undefined ? [] : [id]);
    const [products, affiliates] = await Promise.all([
      this.products.productsByIds(idsOf(product)),
      this.names.namesOf(viewer, 'affiliate', idsOf(partner)),
    ]);
    const own = products.filter(({ vendor_id }) => vendor_id === viewer.user_id);
    return { product: namesOf(own), partner: affiliates };
  }

  /**
   * Finds products or partners by a part of their name, in any letter case; one with exactly this
   * name comes alone. Searches the 5,000 products with the lowest ids, or the 5,000 partners with
   * the highest gross.
   */
  async find(viewer: Viewer, field: NamedField, text: string): Promise<Names> {
    const wanted = foldedName(text.trim());
    const all =
      field === 'product' ? await this.allProducts(viewer) : await this.allPartners(viewer);
    const found = [...all].filter(([, name]) => foldedName(name).includes(wanted));
    const exact = found.filter(([, name]) => foldedName(name) === wanted);
    return new Map((exact.length > 0 ? exact : found).slice(0, MAX_FOUND));
  }

  private async allProducts({ role, user_id }: Viewer): Promise<Names> {
    return role === 'vendor'
      ? namesOf(await this.products.firstOf(user_id, MAX_SEARCHED))
      : new Map();
  }

  private async allPartners(viewer: Viewer): Promise<Names> {
    const ids = await this.reads.readFor(viewer, async (reader) => {
      const range = await this.sums.firstAndLastDay(reader, viewer);
      return range === null ? [] : this.topIn(reader, viewer, range, MAX_SEARCHED);
    });
    return this.names.namesOf(viewer, partnerOf(viewer), ids);
  }

  /**
   * Returns the partners of the last months of the range, or of all its months if they are few.
   * Whole months are read, because there are far fewer kept sums of months than of days.
   */
  private async offeredPartners(viewer: Viewer, range: DayRange): Promise<Names> {
    const [first, last] = [monthOf(range.start_date), monthOf(range.end_date)];
    const recent = monthsAfter(last, 1 - RECENT_MONTHS);
    const ids = await this.reads.readFor(viewer, async (reader) => {
      const topSince = (start_date: string) =>
        this.topIn(reader, viewer, { start_date, end_date: endOfMonth(last) }, MAX_PARTNERS);
      const found = recent > first ? await topSince(recent) : [];
      return found.length === MAX_PARTNERS ? found : topSince(first);
    });
    return this.names.namesOf(viewer, partnerOf(viewer), ids);
  }

  private topIn(reader: Reader, viewer: Viewer, range: DayRange, limit: number): Promise<number[]> {
    const scope = { viewer, attribution: 'sale', group: partnerOf(viewer), filter: {} } as const;
    return this.figures.topIds(reader, scope, range, limit);
  }
}

function partnerOf({ role }: Viewer): ItemGroup {
  return role === 'vendor' ? 'affiliate' : 'vendor';
}

function namesOf(products: readonly { readonly id: number; readonly name: string }[]): Names {
  return new Map(products.map(({ id, name }) => [id, name || String(id)]));
}
