import { TRACKED_FIELDS } from '../../../../ledger/sums/kept-sums.model.js';
import { FIGURE_GROUPS, INTERVALS, isTrackedField } from '../figure.model.js';
import { needsOf } from '../figure-answers.service.js';
import type { FigureBounds } from '../figure-reads.service.js';
import { isKeptByTracking } from '../../sums/figure-sources.js';
import { MEASURE_NAMES, measureOf } from '../measures.js';

const GROUP_DEFINITIONS = {
  product: 'The product of the sale. A group has `id` and the current `name`.',
  affiliate:
    'The affiliate of the sale. A group has `id` and the `name` that you may see; the group of sales without an affiliate has null.',
} as const;
const INTERVAL_DEFINITIONS = {
  day: 'A day in UTC.',
  week: 'A week from Monday to Sunday.',
  month: 'A month of the calendar.',
  quarter: 'Three months from January, April, July or October.',
  year: 'A year of the calendar.',
} as const;
const OF_TRACKED_FIELD =
  'The value of this tracked field. A group has `value`; that of sales without a value has null. Values without a row of their own are in `meta.groups_left_out`.';

const OF_READ_FIELD =
  'The value of this field of the tracking. A group has `value`; that of sales without a value has null. Figures by this field are read from the sales.';

/** Ways to read figures, from the cheapest on. */
const KEPT = 'kept';
const MANY_ROWS = 'kept_by_day';
const SALES = 'sales';

const COMBINATIONS = [
  ...['none', 'product'].map((group_by) => ({ group_by, filter: 'none', cost: KEPT })),
  { group_by: 'affiliate', filter: 'none', cost: KEPT },
  { group_by: 'none', filter: 'product_id', cost: KEPT },
  { group_by: 'product', filter: 'product_id', cost: KEPT },
  { group_by: 'none', filter: 'affiliate_id', cost: KEPT },
  { group_by: 'affiliate', filter: 'affiliate_id', cost: KEPT },
  { group_by: 'product', filter: 'affiliate_id', cost: MANY_ROWS },
  { group_by: 'affiliate', filter: 'product_id', cost: MANY_ROWS },
  ...['none', 'product', 'affiliate'].map((group_by) => ({
    group_by,
    filter: 'product_id,affiliate_id',
    cost: MANY_ROWS,
  })),
  ...TRACKED_FIELDS.flatMap((field) => [
    { group_by: field, filter: 'none', cost: KEPT },
    { group_by: 'none', filter: field, cost: KEPT },
    { group_by: field, filter: field, cost: KEPT },
  ]),
];

/** Returns the catalogue: measures, groups, intervals, and what the combinations cost. */
export function figuresCatalogue({ sales, items }: FigureBounds) {
  const limit = `reads the sales and refunds of the range, at most ${sales}`;
  return {
    measures: MEASURE_NAMES.map((name) => {
      const { unit, definition, isOfVendor, hasClicks, of } = measureOf(name);
      return {
        name,
        unit,
        definition,
        roles: isOfVendor === true ? ['vendor'] : ['vendor', 'affiliate'],
        by_tracked_field: byTrackedField(name, hasClicks === true || of === undefined),
      };
    }),
    groups: FIGURE_GROUPS.map((name) => ({
      name,
      definition:
        name === 'product' || name === 'affiliate'
          ? GROUP_DEFINITIONS[name]
          : isTrackedField(name)
            ? OF_TRACKED_FIELD
            : OF_READ_FIELD,
      roles: name === 'product' ? ['vendor', 'affiliate'] : ['vendor'],
    })),
    intervals: INTERVALS.map((name) => ({ name, definition: INTERVAL_DEFINITIONS[name] })),
    combinations: COMBINATIONS,
    costs: [
      { name: KEPT, definition: 'Answered from kept sums by day and month.' },
      {
        name: MANY_ROWS,
        definition: 'Answered from kept sums by day only, so long ranges take longer.',
      },
      {
        name: SALES,
        definition: `All other combinations, and measures by tracked field that are not kept: ${limit}.`,
      },
    ],
    max_items: items,
  };
}

/** Returns how a measure is known by tracked field: from kept sums, from the sales, or not at all. */
function byTrackedField(name: (typeof MEASURE_NAMES)[number], isUnknown: boolean): string | null {
  if (isUnknown) return null;
  const isKept = isKeptByTracking(needsOf({ measures: [name] }));
  return isKept ? KEPT : SALES;
}
