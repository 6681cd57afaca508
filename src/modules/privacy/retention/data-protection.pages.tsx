import { Injectable } from '@nestjs/common';
import type { VNode } from 'preact';
import { isCalendarDay } from '../../../platform/values/time.js';
import { NO_APPLICATION, OPERATOR } from '../../../platform/values/author.js';
import { PersonalReads } from '../../../api/access/personal-reads.js';
import {
  isOfList,
  KEPT_DAYS,
  keysOf,
  operationText,
  type KeptReads,
  type ReadPosition,
  type ReadsPage,
} from '../reads/personal-read.model.js';
import { ExtensionOperations } from '../reads/extension-operations.js';
import { PersonalReadsService, type Readers } from '../reads/personal-reads.service.js';
import { ApiApplicationsService } from '../../accounts/index.js';
import { type ActivityHistory, ActivityService } from '../../audit/index.js';
import { SaleService } from '../../reports/index.js';
import { ERASURE_MESSAGES, erasuresSubject } from '../people/people.model.js';
import { RetentionRulesService } from './retention-rules.service.js';
import type { VendorRetention } from './retention.model.js';
import { pageOf, type Page, type PageAnswer } from '../../../platform/pages/page-answer.js';
import type { PageRoutes, Pages } from '../../../platform/pages/page-router.js';
import {
  DATA_PROTECTION_PATH,
  PEOPLE_PATH,
  readsPath,
  subscriptionPath,
  transactionPath,
} from '../../../platform/pages/paths.js';
import type { SignedInVisit } from '../../../platform/pages/visit.js';
import { dayText } from '../../../platform/pages/ui/day-text.js';
import { Badge, Neighbours, Setting } from '../../../platform/pages/ui/facts.view.js';
import { ChoiceForm, Field, Fields, FormProblem } from '../../../platform/pages/ui/form.view.js';
import { Table, times, type Column } from '../../../platform/pages/ui/table.view.js';
import { countText, numberText } from '../../../platform/pages/ui/values.view.js';
import { Operator } from '../../../platform/pages/frame/operator.view.js';
import { LastChanges } from '../../../platform/pages/ui/history.view.js';
import { Nothing } from '../../../platform/pages/ui/next-step.view.js';

const CURSOR = /^(\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}) ([0-9a-f]{16}) (\d{1,15})$/;

/** Criteria of the form; an empty one matches everything. */
interface ReadsQuery {
  readonly transaction: string;
  readonly from: string;
  readonly to: string;
}

const ROWS = 50;

/** Serves the page that shows a vendor how long customers' data is kept and who read it. */
@Injectable()
export class DataProtectionPages implements Pages {
  constructor(
    private readonly log: PersonalReads,
    private readonly reads: PersonalReadsService,
    private readonly retention: RetentionRulesService,
    private readonly sales: SaleService,
    private readonly activity: ActivityService,
    private readonly applications: ApiApplicationsService,
    private readonly operations: ExtensionOperations,
  ) {}

  addTo(routes: PageRoutes): void {
    routes.get('/data-protection', (visit) => this.show(visit));
  }

  private async show(visit: SignedInVisit): Promise<PageAnswer> {
    const query = {
      transaction: visit.query('transaction').trim(),
      from: visit.query('from'),
      to: visit.query('to'),
    };
    const problems = (['from', 'to'] as const)
      .filter((field) => query[field] !== '' && !isCalendarDay(query[field]))
      .map((field) => new FormProblem(field, 'This must be a date such as 2030-12-31.'));
    const vendor_id = visit.user.id;
    const [retention, erasures] = await Promise.all([
      this.retention.of(vendor_id),
      this.activity.historyOf(vendor_id, erasuresSubject(vendor_id), this.applications),
    ]);
    const done = ERASURE_MESSAGES.get(visit.query('done'));
    const shown = { query, problems, done, isNoted: this.log.isOn, retention, erasures };
    if (problems.length > 0 || !shown.isNoted) return dataProtectionPage({ ...shown, found: null });
    const record_key = query.transaction;
    const days = record_key === '' ? [] : await this.sales.daysInLists(vendor_id, record_key);
    const criteria = {
      vendor_id,
      first_day: query.from || null,
      last_day: query.to || null,
      record: record_key === '' ? null : { record_key, days },
    };
    const page = await this.reads.page(criteria, positionIn(visit.query('before')), ROWS);
    const readers = await this.reads.readersOf(vendor_id, page.reads);
    return dataProtectionPage({
      ...shown,
      found: { ...page, readers, titles: this.operations.titles() },
    });
  }
}

/** @returns null if the text is not a cursor, which means the first page */
function positionIn(cursor: string): ReadPosition | null {
  const [, read_at, writer, number] = CURSOR.exec(cursor) ?? [];
  if (read_at === undefined || writer === undefined) return null;
  return { read_at, writer, number: Number(number) };
}

interface ShownReads {
  readonly query: ReadsQuery;
  readonly problems: readonly FormProblem[];
  /** Message about an erasure. */
  readonly done: string | undefined;
  /** False if the operator has not enabled the log of reads. */
  readonly isNoted: boolean;
  readonly retention: VendorRetention;
  readonly erasures: ActivityHistory;
  /** Null if the form has problems, or nothing is recorded. */
  readonly found: FoundReads | null;
}

interface FoundReads extends ReadsPage {
  readonly readers: Readers;
  /** Texts of the operations of extensions. */
  readonly titles: ReadonlyMap<string, string>;
}

function dataProtectionPage(shown: ShownReads): Page {
  const { problems, done, query, found, isNoted, retention, erasures } = shown;
  return pageOf(
    { title: 'Data protection', problems, done },
    <>
      <Finder />
      {erasures.lines.length > 0 && (
        <Setting
          id="erasures-title"
          title="Past erasures"
          about={<p>When data was erased, and by whom. The customers are not named.</p>}
        >
          <LastChanges {...erasures} />
        </Setting>
      )}
      <Rules isNoted={isNoted} retention={retention} />
      {isNoted && (
        <>
          <h2>Access log</h2>
          <ReadsForm {...query} />
          {found !== null && <Found query={query} {...found} />}
        </>
      )}
    </>,
  );
}

/** Finds a customer, whose data can then be seen, exported or erased. */
function Finder() {
  return (
    <Setting
      id="finder-title"
      title="A customer’s data"
      about={
        <ul>
          <li>See what is stored about a customer.</li>
          <li>Download it as JSON, for a customer who asks.</li>
          <li>Erase it. Amounts and totals stay.</li>
        </ul>
      }
    >
      <ChoiceForm class="choose" action={PEOPLE_PATH} label="Find a customer">
        <Field
          label="Customer’s e-mail or name"
          name="customer"
          hint="The whole e-mail address, or the first letters of a name."
          autocomplete="off"
          required
        />
        <button>Find</button>
      </ChoiceForm>
    </Setting>
  );
}

function Rules({ isNoted, retention }: Pick<ShownReads, 'isNoted' | 'retention'>) {
  return (
    <Setting
      id="rules-title"
      title="Rules"
      about={
        <p>
          <Operator isFirst /> sets these for {retention.isOwn ? 'your account' : 'all vendors'},
          and can change them.
        </p>
      }
    >
      <Retention {...retention} />
      <p>
        Access log <Badge style={isNoted ? 'active' : 'pending'}>{isNoted ? 'On' : 'Off'}</Badge>
        <br />
        {isNoted ? (
          `Each read of your customers’ data is listed below for ${KEPT_DAYS} days.`
        ) : (
          <>
            Reads of your customers’ data are not recorded. To have them recorded, ask <Operator />.
          </>
        )}
      </p>
    </Setting>
  );
}

/** Says how long which data of customers is kept. */
function Retention({ months, retained_from }: VendorRetention) {
  const time = months === null ? '' : countText(months, 'month');
  return (
    <>
      {months === null ? (
        <p>Customers’ data is kept indefinitely.</p>
      ) : (
        <>
          <p>Names and addresses of sales are kept for {time} after the sale.</p>
          <p>Names and addresses of subscriptions are kept for {time} after the end.</p>
          <p>Amounts, dates and products are kept indefinitely.</p>
        </>
      )}
      {retained_from !== null && (
        <p>
          Personal data of sales before <time>{dayText(retained_from)}</time> is already removed.
        </p>
      )}
    </>
  );
}

function ReadsForm({ transaction, from, to }: ReadsQuery) {
  const hint = 'Transaction or subscription id. Lists that may have had it are shown, too.';
  return (
    <ChoiceForm action={DATA_PROTECTION_PATH} label="Which reads">
      <Fields
        fields={[
          { label: 'Transaction', name: 'transaction', value: transaction, maxLength: 255, hint },
          { label: 'First day', name: 'from', type: 'date', value: from },
          { label: 'Last day', name: 'to', type: 'date', value: to },
        ]}
      />
      <button>Apply</button>
    </ChoiceForm>
  );
}

type ShownFound = FoundReads & { readonly query: ReadsQuery };

function Found({ query, reads, next, readers, titles }: ShownFound) {
  const before = next === null ? '' : `${next.read_at} ${next.writer} ${next.number}`;
  const columns: Column<KeptReads>[] = [
    times('When', ({ read_at }) => read_at, true),
    { name: 'Who', cell: (row) => readerText(row, readers) },
    { name: 'How', cell: ({ operation }) => operationText(operation, titles) },
    { name: 'What', cell: recordsIn },
  ];
  return (
    <>
      <Table
        label="Reads of customers’ data"
        columns={columns}
        rows={reads}
        empty={<Nothing next={[DATA_PROTECTION_PATH, 'Show all reads']}>No such reads.</Nothing>}
      />
      {next !== null && (
        <>
          {reads.length === 0 && (
            <p class="empty">
              Searched as far as {next.read_at}. There may be more on the next page.
            </p>
          )}
          <Neighbours next={{ words: 'Older', href: readsPath({ ...query, before }) }} />
        </>
      )}
    </>
  );
}

/** Maximum number of records of a row that are shown. */
const SHOWN_KEYS = 10;
const OF_SUBSCRIPTIONS = new Set(['getRecurringPayment', 'page.subscription']);

function readerText({ user_id, application_id }: KeptReads, readers: Readers): VNode {
  if (user_id === OPERATOR) return <>the operator</>;
  const isOwn = user_id === readers.vendor_id;
  const user = readers.users.get(user_id) ?? `user ${user_id}`;
  if (application_id === NO_APPLICATION) return <>{isOwn ? 'you, signed in' : user}</>;
  const name = readers.applications.get(application_id) ?? String(application_id);
  return isOwn ? <>application {name}</> : <>an application of {user}</>;
}

function recordsIn(row: KeptReads): VNode {
  const keys = keysOf(row);
  if (row.record_keys === null) return <>{listText(row)}</>;
  const pathOf = OF_SUBSCRIPTIONS.has(row.operation) ? subscriptionPath : transactionPath;
  const more = keys.length - SHOWN_KEYS;
  return (
    <>
      {keys.slice(0, SHOWN_KEYS).map((key, index) => (
        <>
          {index > 0 && ', '}
          <a href={pathOf(key)}>{key}</a>
        </>
      ))}
      {more > 0 && ` and ${numberText(more)} more`}
    </>
  );
}

function listText(read: KeptReads): string {
  const { first_day, last_day, records, times } = read;
  if (!isOfList(read)) return records === null ? 'some records' : countText(records, 'record');
  const range = first_day === null ? '' : ` of ${first_day} to ${last_day}`;
  const lists = times === 1 ? 'a list' : `${numberText(times)} lists`;
  const count = records === null ? '' : `, ${numberText(records)} records`;
  return `${lists}${range}${count}`;
}
