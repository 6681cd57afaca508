import { TRACKED_FIELDS } from '../../../ledger/sums/kept-sums.model.js';
import type { FigureFilter, ValueField } from '../figures/figure.model.js';
import { FormProblem, Problem } from '../../../platform/pages/ui/form.view.js';
import { isolatedText } from '../../../platform/pages/ui/isolated-text.js';
import type { Visit } from '../../../platform/pages/visit.js';
import { idIn } from '../lists/list-filter.js';
import { FilterChips } from './filter-chips.view.js';
import { addressOf, type ReportQuery, type Role } from './report-query.js';

/** Parameters that narrow a report, in the order of their chips. */
const NARROWING = ['product', 'partner', ...TRACKED_FIELDS] as const;
type Narrowing = (typeof NARROWING)[number];

/** A filter as it is in the address; empty values are left out. */
export type ReportFilter = Readonly<Partial<Record<Narrowing, string>>>;

/** Names of tracking fields on the pages. */
export const FIELD_NAMES: Readonly<Record<ValueField, string>> = {
  utm_source: 'Source',
  utm_medium: 'Medium',
  utm_campaign: 'Campaign',
  utm_content: 'Content',
  utm_term: 'Term',
  tid: 'Tracking id',
  sub_id1: 'Sub id 1',
  sub_id2: 'Sub id 2',
  sub_id3: 'Sub id 3',
  sub_id4: 'Sub id 4',
  sub_id5: 'Sub id 5',
};

/** Names of the product and the partner of a filter; absent if they are not known. */
export type FilterNames = Readonly<Partial<Record<'product' | 'partner', string>>>;

/** Reads the filter from the address. */
export function reportFilterIn(visit: Visit): ReportFilter {
  const given = NARROWING.filter((name) => visit.query(name).trim() !== '');
  return Object.fromEntries(given.map((name) => [name, visit.query(name)]));
}

/** Returns the part of parameters that narrows a report. */
export function reportFilterOf(parameters: Readonly<Record<string, string>>): ReportFilter {
  const given = NARROWING.filter((name) => parameters[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, parameters[name] ?? '']));
}

/** A filter whose parts go together, and whether parts were left out for that. */
interface CombinedFilter {
  readonly filter: ReportFilter;
  readonly isCut: boolean;
}

/**
 * Returns the part of a filter that narrows a report: a product, a partner, both, or else one
 * tracking value of the sales of a vendor. Links to a list may have them all.
 */
export function combinedFilter(filter: ReportFilter, role: Role): CombinedFilter {
  const tracked = TRACKED_FIELDS.filter((field) => filter[field] !== undefined);
  const { product, partner } = filter;
  const isAlone = role === 'vendor' && (product ?? partner) === undefined;
  const kept = isAlone ? tracked.slice(0, 1) : [];
  const given = NARROWING.filter((name) => name === 'product' || name === 'partner');
  const names = [...given, ...kept].filter((name) => filter[name] !== undefined);
  return {
    filter: Object.fromEntries(names.map((name) => [name, filter[name] ?? ''])),
    isCut: kept.length < tracked.length,
  };
}

/** Says that a report is not narrowed by all parts of the filter. */
export function CutFilter() {
  return (
    <p class="hint">
      A product, an affiliate, both, or one tracking value narrow this report. Other filters are
      left out.
    </p>
  );
}

/**
 * Converts the combined filter of a page to one of figures.
 * @throws FormProblem for an id that is none
 */
export function figureFilterOf(filter: ReportFilter, role: Role): FigureFilter {
  const { product, partner } = filter;
  const [one] = TRACKED_FIELDS.flatMap((field) => {
    const value = filter[field];
    return value === undefined ? [] : [{ field, value }];
  });
  const partnerColumn = role === 'vendor' ? 'affiliate_id' : 'vendor_id';
  return {
    ...(product === undefined ? {} : { product_id: idOf('product', product) }),
    ...(partner === undefined ? {} : { [partnerColumn]: idOf('partner', partner) }),
    ...(one === undefined ? {} : { tracked: one }),
  };
}

function idOf(name: Narrowing, text: string): number {
  const id = idIn(text);
  if (id !== null) return id;
  throw new FormProblem(name, `The filter “${name}” must be an id, such as 101.`);
}

/** Shows the problems of a filter, whose fields are not on the page. */
export function FilterProblems({ problems }: { readonly problems: readonly FormProblem[] }) {
  const shown = problems.filter(({ field }) => NARROWING.some((name) => name === field));
  return shown.map(({ message }) => <Problem>{message}</Problem>);
}

/** A filter in words. */
interface ShownFilter {
  readonly filter: Narrowing;
  /** Name of the filter, such as `Product`. */
  readonly name: string;
  readonly value: string;
  /** True if the value is the name of a product or of a partner, which says what it is. */
  readonly isNamed: boolean;
}

function shownFilters(filter: ReportFilter, role: Role, names: FilterNames): ShownFilter[] {
  return NARROWING.flatMap((each) => {
    const value = filter[each];
    if (value === undefined) return [];
    const known = each === 'product' || each === 'partner' ? names[each] : undefined;
    const isNamed = known !== undefined && known !== '';
    return { filter: each, name: nameOf(each, role), value: isNamed ? known : value, isNamed };
  });
}

/** Returns what a report is about, such as the name of a product; empty for the whole report. */
export function subjectOf(filter: ReportFilter, role: Role, names: FilterNames): string {
  return shownFilters(filter, role, names)
    .map(({ name, value, isNamed }) => (isNamed ? '' : `${name} `) + isolatedText(value))
    .join(', ');
}

/** Shows the filters of a page, each with a link that removes it. */
export function ReportFilters({
  path,
  query,
  role,
  names = {},
}: {
  readonly path: string;
  readonly query: ReportQuery;
  readonly role: Role;
  readonly names?: FilterNames;
}) {
  const chips = shownFilters(query.filter, role, names).map(({ filter, name, value }) => {
    const others = NARROWING.filter((each) => each !== filter && each in query.filter);
    const kept = Object.fromEntries(others.map((each) => [each, query.filter[each] ?? '']));
    const without = addressOf(path, { ...query, role, filter: kept });
    return { name, words: isolatedText(value), without };
  });
  return <FilterChips chips={chips} />;
}

function nameOf(name: Narrowing, role: Role): string {
  if (name === 'product') return 'Product';
  if (name === 'partner') return role === 'vendor' ? 'Affiliate' : 'Vendor';
  return FIELD_NAMES[name];
}
