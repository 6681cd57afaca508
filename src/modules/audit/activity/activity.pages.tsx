import { Injectable } from '@nestjs/common';
import { useContext } from 'preact/hooks';
import { Contact } from '../../../platform/pages/frame/operator.view.js';
import { csvDownload, pageOf, type PageAnswer } from '../../../platform/pages/page-answer.js';
import type { PageRoutes, Pages } from '../../../platform/pages/page-router.js';
import { ACTIVITY_PATH, SECURITY_PATH, withQuery } from '../../../platform/pages/paths.js';
import { CsvLink, Neighbours } from '../../../platform/pages/ui/facts.view.js';
import { Fields, FilterForm, FormProblem, Select } from '../../../platform/pages/ui/form.view.js';
import { HistoryTable, type HistoryLine } from '../../../platform/pages/ui/history.view.js';
import { oneOf, type SignedInVisit } from '../../../platform/pages/visit.js';
import { isCalendarDay } from '../../../platform/values/time.js';
import { ApiApplicationsService } from '../../accounts/index.js';
import { ProductsService } from '../../products/index.js';
import { ItemNamesService } from '../../reports/index.js';
import { activityCsv } from './activity-csv.js';
import { activityLine } from './activity-line.view.js';
import { KIND_NAMES } from './activity-texts.js';
import { type ActivityNames, idsIn, subjectText, thingOf, What } from './activity-things.view.js';
import { ACTIVITY_KINDS, type ActivityEntry, type ActivityFilter } from './activity.model.js';
import { ActivityService } from './activity.service.js';
import { Nothing } from '../../../platform/pages/ui/next-step.view.js';

/** Number of entries of a page. */
const ROWS = 50;

/** The choices of the form; an empty one matches everything. */
type Choices = Readonly<Record<'kind' | 'subject' | 'from' | 'to', string>>;

interface ShownActivity {
  readonly choices: Choices;
  readonly entries: readonly ActivityEntry[];
  /** Cursor of the next page; null on the last one. */
  readonly next: string | null;
  /** Day up to which an incomplete page was searched. */
  readonly searchedTo: string | null;
  readonly names: ActivityNames;
}

/** Serves the page with the audit entries of the user's account. */
@Injectable()
export class ActivityPages implements Pages {
  constructor(
    private readonly activity: ActivityService,
    private readonly applications: ApiApplicationsService,
    private readonly products: ProductsService,
    private readonly items: ItemNamesService,
  ) {}

  addTo(routes: PageRoutes): void {
    routes.get('/activity', (visit) => this.show(visit));
    routes.get('/activity.csv', (visit) => {
      const all = this.activity.all(visit.user.id, filterOf(choicesIn(visit)));
      return csvDownload('activity', activityCsv(all, 'spreadsheet', true));
    });
  }

  private async show(visit: SignedInVisit): Promise<PageAnswer> {
    const choices = choicesIn(visit);
    const problems = (['from', 'to'] as const)
      .filter((field) => choices[field] !== '' && !isCalendarDay(choices[field]))
      .map((field) => new FormProblem(field, 'Enter a date such as 2030-12-31.'));
    const parts = { title: 'Activity', problems };
    if (problems.length > 0) return pageOf(parts, <ActivityFilterForm {...choices} />);
    const { id } = visit.user;
    const { entries, meta } = await this.activity.page({
      account_id: id,
      filter: filterOf(choices),
      limit: ROWS,
      after: visit.query('after') || null,
      isCounted: false,
    });
    const names = await this.namesIn(id, [
      choices.subject,
      ...entries.map(({ subject }) => subject),
    ]);
    const { next_cursor: next, searched_to: searchedTo } = meta;
    const shown = { choices, entries, next, searchedTo, names };
    const tools = <CsvLink href={addressOf(choices, {}, '.csv')} />;
    return pageOf({ ...parts, tools }, <Activity {...shown} />);
  }

  /** Reads the names of what subjects name, as the user of the account may see them. */
  private async namesIn(user_id: number, subjects: readonly string[]): Promise<ActivityNames> {
    const ids = idsIn(subjects);
    const [applications, affiliates, products] = await Promise.all([
      this.applications.applicationsOf(user_id),
      this.items.namesOf({ user_id }, 'affiliate', ids.affiliates),
      this.products.productsByIds(ids.products),
    ]);
    const own = products.filter(({ vendor_id }) => vendor_id === user_id);
    return { applications: namesById(applications), affiliates, products: namesById(own) };
  }
}

function namesById(items: readonly { readonly id: number; readonly name: string }[]) {
  return new Map(items.map(({ id, name }) => [id, name || String(id)]));
}

function choicesIn(visit: SignedInVisit): Choices {
  return {
    kind: oneOf(ACTIVITY_KINDS, visit.query('kind')) ?? '',
    subject: visit.query('subject').trim(),
    from: visit.query('from'),
    to: visit.query('to'),
  };
}

/** Returns the filter of the choices. A day that is no date matches everything. */
function filterOf({ kind, subject, from, to }: Choices): ActivityFilter {
  const kinds = ACTIVITY_KINDS.filter((each) => each === kind);
  return {
    kinds: kinds.length === 0 ? null : kinds,
    subject: subject || null,
    start_date: isCalendarDay(from) ? from : null,
    end_date: isCalendarDay(to) ? to : null,
  };
}

function addressOf(choices: Choices, more: Readonly<Record<string, string>> = {}, path = '') {
  const given = Object.entries({ ...choices, ...more }).filter(([, value]) => value !== '');
  return withQuery(ACTIVITY_PATH + path, Object.fromEntries(given));
}

function isFiltered(choices: Choices): boolean {
  return Object.values(choices).some((value) => value !== '');
}

function ActivityFilterForm(choices: Choices) {
  const { kind, subject, from, to } = choices;
  return (
    <FilterForm
      action={ACTIVITY_PATH}
      label="Which changes"
      isOpen={isFiltered(choices)}
      hidden={subject === '' ? {} : { subject }}
    >
      <Select label="Kind" name="kind" options={{ '': 'All kinds', ...KIND_NAMES }} chosen={kind} />
      <Fields
        fields={[
          { label: 'First day', name: 'from', type: 'date', value: from },
          { label: 'Last day', name: 'to', type: 'date', value: to },
        ]}
      />
    </FilterForm>
  );
}

function Activity({ choices, entries, next, searchedTo, names }: ShownActivity) {
  const firstOfOperator = entries.find(({ by }) => by === 'operator');
  const lines = entries.map((entry) => {
    const line = activityLine(entry, names.applications);
    return {
      ...line,
      who: entry === firstOfOperator ? <ExplainedOperator who={line.who} /> : line.who,
      what: <What words={line.what} thing={thingOf(entry.subject, names)} />,
      advice: isUnexpected(entry) ? <NewPassword /> : undefined,
    };
  });
  return (
    <>
      <ActivityFilterForm {...choices} />
      {choices.subject !== '' && (
        <p>
          Only changes of {subjectText(choices.subject, names)}.{' '}
          <a href={ACTIVITY_PATH}>Show all changes</a>
        </p>
      )}
      <HistoryTable
        label="Activity"
        lines={lines}
        empty={
          isFiltered(choices) ? (
            <Nothing next={[ACTIVITY_PATH, 'Show all changes']}>No such changes.</Nothing>
          ) : (
            'No changes yet.'
          )
        }
      />
      {searchedTo !== null && (
        <p class="empty">Searched as far as {searchedTo}. There may be more on the next page.</p>
      )}
      <Neighbours
        next={{ words: 'Older', href: next === null ? null : addressOf(choices, { after: next }) }}
      />
    </>
  );
}

/** Returns whether somebody else changed how the user signs in. */
function isUnexpected({ kind, by }: ActivityEntry): boolean {
  return kind === 'sign_in' && by !== 'account';
}

function NewPassword() {
  return (
    <>
      Not expected? <a href={SECURITY_PATH}>Change your password</a>
    </>
  );
}

/** Says who the operator is, in the first entry that names them. */
function ExplainedOperator({ who }: Pick<HistoryLine, 'who'>) {
  const contact = useContext(Contact);
  return (
    <>
      {who}{' '}
      <span class="hint own-line">
        <span class="narrow-only">(</span>
        {contact !== null && (
          <>
            <a href={contact.href}>{contact.name}</a>{' '}
          </>
        )}
        runs this service
        <span class="narrow-only">)</span>
      </span>
    </>
  );
}
