import { pageOf } from '../../../platform/pages/page-answer.js';
import {
  REPORTS_PATH,
  subscriptionPath,
  SUBSCRIPTIONS_PATH,
  withQuery,
} from '../../../platform/pages/paths.js';
import { dayText } from '../../../platform/pages/ui/day-text.js';
import { LinkLine, Neighbours, Tabs } from '../../../platform/pages/ui/facts.view.js';
import { Field, FilterForm, Select } from '../../../platform/pages/ui/form.view.js';
import { Nothing } from '../../../platform/pages/ui/next-step.view.js';
import { isolatedText } from '../../../platform/pages/ui/isolated-text.js';
import { sortedBy } from '../../../platform/pages/ui/sorting.view.js';
import { type Column, days, numbers, Table } from '../../../platform/pages/ui/table.view.js';
import {
  countText,
  Day,
  Email,
  Money,
  numberText,
} from '../../../platform/pages/ui/values.view.js';
import { dayOf, daysBetween, todayInUtc } from '../../../platform/values/time.js';
import type { Product } from '../../products/index.js';
import {
  type DueSelection,
  type ListedPayment,
  type RecurringList,
  type RecurringListFilter,
  type RecurringOverview,
  type RecurringPage,
} from './recurring-list.model.js';
import { Renewals } from './renewals.view.js';
import { customerOf, isLate, paymentsText, PaymentBadge } from './subscription-parts.view.js';

const NAMES: Readonly<Record<RecurringList, string>> = {
  active: 'Active',
  canceled: 'Canceled',
  completed: 'Completed',
  other: 'Other',
};
/** The lists in the order of their tabs, with the late payments of active subscriptions. */
const TABS = ['active', 'late', 'canceled', 'completed', 'other'] as const satisfies readonly (
  | RecurringList
  | 'late'
)[];
/** Tabs of lists that most vendors have nothing in, which are left out then. */
const RARE_TABS: readonly (typeof TABS)[number][] = ['late', 'other'];
/** More products are not offered by their names. */
const MAX_OFFERED = 200;

/** A list, and which of its subscriptions are shown. */
export interface ShownList extends RecurringListFilter {
  readonly list: RecurringList;
  /** Null for all. */
  readonly due: DueSelection | null;
}

/** Contains everything that the page of subscriptions shows. */
interface ShownSubscriptions {
  readonly shown: ShownList;
  /** Cursor of the page; undefined for the first one. */
  readonly cursor: string | undefined;
  readonly counts: Readonly<Record<RecurringList, number>>;
  /** Number of active ones whose payment is late. */
  readonly late: number;
  readonly page: RecurringPage;
  /** Names of the customers by the keys of the subscriptions; an unknown one has none. */
  readonly names: ReadonlyMap<string, string>;
  /** Null except on the first page of all active subscriptions. */
  readonly overview: RecurringOverview | null;
  readonly products: readonly Product[];
}

export function subscriptionsPage(seen: ShownSubscriptions) {
  const { shown, cursor, page, names, overview, products } = seen;
  const { list, due, product_id, customer } = shown;
  const { payments, previous, next } = page;
  const name = due === null ? `${NAMES[list]} subscriptions` : nameOfDue(due);
  const isNarrowed = product_id !== null || customer !== null;
  // A tab has the late payments.
  const isOfDay = due !== null && due !== 'late';
  return pageOf(
    { title: 'Subscriptions' },
    <>
      {overview !== null && <Renewals {...overview} />}
      <div class="list-head">
        <ListTabs {...seen} />
        <Filter shown={shown} products={products} isNarrowed={isNarrowed} />
      </div>
      {isOfDay && <h2>{name}, next payment first</h2>}
      {isOfDay && (
        <LinkLine href={subscriptionsPath({ ...shown, due: null })}>
          All active subscriptions
        </LinkLine>
      )}
      {isNarrowed && <Found {...page} />}
      <Table
        label={name}
        columns={columnsOf(list, names, subscriptionsPath(shown, cursor))}
        rows={payments}
        empty={
          isNarrowed || due !== null ? (
            <Nothing next={[SUBSCRIPTIONS_PATH, 'All active subscriptions']}>
              No subscription meets the filter.
            </Nothing>
          ) : (
            <Nothing next={[REPORTS_PATH, 'Go to Reports']}>No such subscriptions.</Nothing>
          )
        }
      />
      <Neighbours
        previous={{ words: 'Previous', href: previous && subscriptionsPath(shown, previous) }}
        next={{ words: 'Next', href: next && subscriptionsPath(shown, next) }}
      />
    </>,
  );
}

/** Chooses a list, or the late payments of the active ones. */
function ListTabs({ shown, counts, late }: Pick<ShownSubscriptions, 'shown' | 'counts' | 'late'>) {
  const current = shown.due === 'late' ? 'late' : shown.list;
  const [names, numbersOf] = [
    { ...NAMES, late: 'Late' },
    { ...counts, late },
  ];
  const tabs = TABS.filter(
    (each) => !RARE_TABS.includes(each) || each === current || numbersOf[each] > 0,
  );
  return (
    <Tabs
      label="Status"
      tabs={tabs.map((each) => [each, `${names[each]} (${numberText(numbersOf[each])})`])}
      current={current}
      isEmpty={(each) => numbersOf[each] === 0}
      to={(each) =>
        each === 'late'
          ? subscriptionsPath({ ...shown, list: 'active', due: each })
          : subscriptionsPath({ ...shown, list: each, due: null })
      }
    />
  );
}

/** Says how many subscriptions a filter finds, or how far it searched. */
function Found({ total_count = null, isStopped = false, read = 0, payments }: RecurringPage) {
  if (isStopped) {
    const last = payments.length === 0 ? 'none of them meets it' : 'more of them may meet it';
    return (
      <p>
        The filter read {countText(read, 'subscription')} of this list; {last}. Next searches on.
      </p>
    );
  }
  return total_count === null ? null : <p>{countText(total_count, 'subscription')} found.</p>;
}

/** Narrows the list to a product or a customer, and keeps its status and its days. */
function Filter({
  shown,
  products,
  isNarrowed,
}: {
  readonly shown: ShownList;
  readonly products: readonly Product[];
  /** True if a field of the form narrows the list. */
  readonly isNarrowed: boolean;
}) {
  const { product_id, customer } = shown;
  const chosen = product_id === null ? '' : String(product_id);
  const named = products.map(({ id, name }) => [String(id), isolatedText(name)] as const);
  return (
    <FilterForm
      action={SUBSCRIPTIONS_PATH}
      label="Filter"
      isOpen={isNarrowed}
      hidden={new Map(Object.entries(queryOf({ ...shown, product_id: null, customer: null })))}
      also={
        isNarrowed && (
          <a
            class="button quiet"
            href={subscriptionsPath({ ...shown, product_id: null, customer: null })}
          >
            Clear
          </a>
        )
      }
    >
      {products.length <= MAX_OFFERED ? (
        <Select
          label="Product"
          name="product"
          options={new Map([['', 'All products'], ...named])}
          chosen={chosen}
        />
      ) : (
        <Field
          label="Product id"
          name="product"
          value={chosen}
          inputMode="numeric"
          maxLength={16}
        />
      )}
      <Field
        label="Customer"
        name="customer"
        hint="The whole e-mail, or the first letters of a name."
        value={customer ?? ''}
        type="search"
        autocomplete="off"
        maxLength={255}
      />
    </FilterForm>
  );
}

function nameOfDue(due: DueSelection): string {
  return due === 'late' ? 'Late payments' : `Payments on ${dayText(due.day)} (UTC)`;
}

/**
 * @param names names of the customers by the keys of their subscriptions
 * @param back address of the page of the list
 */
function columnsOf(
  list: RecurringList,
  names: ReadonlyMap<string, string>,
  back: string,
): Column<ListedPayment>[] {
  return [
    {
      name: 'Customer',
      cell: (payment) => {
        const name = names.get(payment.pre_key) ?? '';
        const email = <Email address={customerOf(payment)} />;
        return (
          <>
            <a href={subscriptionPath(payment.pre_key, '', { back })}>{name || email}</a>
            {name !== '' && <div class="aside line">{email}</div>}
          </>
        );
      },
    },
    { name: 'Product', narrow: 'bare', cell: ({ product_name }) => product_name },
    { ...numbers('Price', ({ price }) => <Money cents={price} />), narrow: 'bare' },
    { ...numbers('Payments made', paymentsText), narrow: 'none' },
    { ...(list === 'active' ? NEXT_PAYMENT : LAST_PAYMENT), narrow: 'main' },
    {
      ...days('Since', ({ created }) => created),
      ...(list !== 'active' && sortedBy('Since', 'descending')),
      narrow: 'none',
    },
    {
      name: 'Status',
      narrow: 'bare',
      cell: (payment) => <PaymentBadge {...payment} />,
    },
  ];
}

const NEXT_PAYMENT: Column<ListedPayment> = {
  ...days('Next payment', ({ next_date }) => next_date),
  ...sortedBy('Next payment', 'ascending'),
  cell: (payment) => {
    const { next_date } = payment;
    const day = <Day at={next_date} />;
    if (next_date === null || !isLate(payment)) return day;
    return (
      <>
        {countText(daysBetween(dayOf(next_date), todayInUtc()), 'day')} late
        <div class="aside">{day}</div>
      </>
    );
  },
};
const LAST_PAYMENT = days<ListedPayment>('Last payment', ({ last_date }) => last_date);

export function subscriptionsPath(shown: ShownList, cursor?: string): string {
  return withQuery(SUBSCRIPTIONS_PATH, {
    ...queryOf(shown),
    ...(cursor === undefined ? {} : { cursor }),
  });
}

function queryOf({ list, due, product_id, customer }: ShownList): Readonly<Record<string, string>> {
  return {
    list,
    ...(due === null ? {} : { due: due === 'late' ? due : due.day }),
    ...(product_id === null ? {} : { product: String(product_id) }),
    ...(customer === null ? {} : { customer }),
  };
}
