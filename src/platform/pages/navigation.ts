import type { Audience } from './audiences.js';
import { withQuery } from './paths.js';

/** Groups of pages in the header, in their order. */
export const NAVIGATION_GROUPS = [
  'reports',
  'customers',
  'affiliates',
  'developers',
  'settings',
] as const;
export type NavigationGroup = (typeof NAVIGATION_GROUPS)[number];

/** Group of the pages that declare none. */
const OTHERS: NavigationGroup = 'settings';

const LABELS: Readonly<Record<NavigationGroup, string>> = {
  reports: 'Reports',
  customers: 'Customers',
  affiliates: 'Affiliates',
  developers: 'Developers',
  settings: 'Settings',
};

/** Groups whose entries are in a menu of the header, too. While a group is open, they are tabs. */
const MENUS: ReadonlySet<NavigationGroup> = new Set(['developers', 'settings']);

/** Public pages that have an entry, too. */
const PUBLIC_PAGES: readonly PlacedPage[] = [
  {
    path: '/docs/guide',
    group: 'developers',
    navigation: { label: 'Guide', order: 900 },
  },
  {
    path: '/docs',
    group: 'developers',
    navigation: { label: 'API reference', order: 910 },
  },
];

/** The place of pages in the header. */
export interface PagePlace {
  /**
   * Group of the header that is highlighted while one of the pages is open, and that has their
   * entry. Without it, the group is `settings`.
   */
  readonly group?: NavigationGroup;
  /**
   * Path of the entry that is marked while the page is open. By default it is the entry of the page
   * itself, or of a page above it.
   */
  readonly entry?: string;
  /** Entry in the group. Entries are in the order of their numbers. */
  readonly navigation?: { readonly label: string; readonly order: number };
  /**
   * Users to whom the entry is shown; all users by default. The page itself opens for everybody.
   */
  readonly audience?: Audience;
  /**
   * Parameters of the address, such as a range, that the entry takes over from the open page. Pages
   * with the same parameters share their values.
   */
  readonly keeps?: readonly string[];
}

interface PlacedPage extends PagePlace {
  readonly path: string;
}

/** An entry of the header. */
export interface NavigationEntry {
  readonly path: string;
  readonly label: string;
  readonly keeps: readonly string[];
}

export interface HeaderGroup {
  readonly group: NavigationGroup;
  readonly label: string;
  readonly isMenu: boolean;
  readonly entries: readonly NavigationEntry[];
}

/** The place of an open page. */
export interface OpenPlace {
  /** Null for a page that belongs to no group, such as sign-in. */
  readonly group: NavigationGroup | null;
  /** Path of the entry that leads to the page; null if none does. */
  readonly entry: string | null;
}

/** The groups of the header with the entries of all features. */
export class Navigation {
  /** Groups that have entries. */
  readonly groups: readonly HeaderGroup[];
  private readonly pages: readonly PlacedPage[];

  constructor(private readonly declared: readonly PlacedPage[]) {
    this.pages = [...declared, ...PUBLIC_PAGES];
    this.groups = NAVIGATION_GROUPS.map((group) => ({
      group,
      label: LABELS[group],
      isMenu: MENUS.has(group),
      entries: this.entriesOf(group),
    })).filter(({ entries }) => entries.length > 0);
  }

  /** Returns the navigation without the entries for others. */
  shownTo(audiences: ReadonlySet<Audience>): Navigation {
    return new Navigation(
      this.declared.map(({ navigation, ...page }) => {
        const { audience } = page;
        const isShown = audience === undefined || audiences.has(audience);
        return navigation !== undefined && isShown ? { ...page, navigation } : page;
      }),
    );
  }

  /** Finds the place of a page by its path, which may be below that of a declared page. */
  placeOf(path: string): OpenPlace {
    const above = this.pages
      .map((page) => ({ page, start: page.path.replace(/\/:.*/, '') }))
      .filter(({ start }) => path === start || path.startsWith(`${start}/`))
      .sort((one, other) => other.start.length - one.start.length);
    const [nearest] = above;
    if (nearest === undefined) return { group: null, entry: null };
    const { group, navigation } = nearest.page;
    const ofPath = above.find(({ page }) => page.navigation !== undefined)?.page.path;
    const entry = nearest.page.entry ?? ofPath ?? null;
    return { group: group ?? (navigation === undefined ? null : OTHERS), entry };
  }

  private entriesOf(group: NavigationGroup): NavigationEntry[] {
    return this.pages
      .flatMap(({ path, navigation, keeps = [], ...page }) =>
        navigation === undefined || (page.group ?? OTHERS) !== group
          ? []
          : { path, keeps, ...navigation },
      )
      .sort((one, other) => one.order - other.order);
  }
}

/** Returns the address of an entry, with the parameters that it takes over from the open page. */
export function entryAddress(
  { path, keeps }: NavigationEntry,
  valueOf: (parameter: string) => string,
): string {
  const kept = keeps.map((name) => [name, valueOf(name)] as const);
  return withQuery(path, Object.fromEntries(kept.filter(([, value]) => value !== '')));
}
