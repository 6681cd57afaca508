import { KEPT_DAYS, type ReadsPage } from '../../modules/personal-reads/personal-read.model.js';
import type { VendorRetention } from '../../modules/retention/retention.model.js';
import type { Page } from '../http/page-answer.js';
import { numberText } from '../reports/figures.view.js';
import { Field, type FormProblem } from '../ui/form.view.js';
import { DATA_PROTECTION_PATH, readsPath, type ReadsQuery } from './reads-query.js';
import { Reads, type Readers } from './reads.view.js';
import { PEOPLE_PATH } from '../people/person-path.js';

interface ShownReads {
  readonly query: ReadsQuery;
  readonly problems: readonly FormProblem[];
  /** False if the operator has not enabled the log of reads. */
  readonly isNoted: boolean;
  readonly retention: VendorRetention;
  /** Null if the form has problems. */
  readonly found: { readonly page: ReadsPage; readonly readers: Readers } | null;
}

export function dataProtectionPage(shown: ShownReads): Page {
  return {
    kind: 'page',
    title: 'Data protection',
    isWide: true,
    failure: shown.problems.length === 0 ? undefined : 'invalid_parameters',
    view: (
      <>
        <h1>Data protection</h1>
        <Retention retention={shown.retention} />
        <h2>What is kept of a customer</h2>
        <p>
          <a href={PEOPLE_PATH}>Find, export or erase the personal data of a customer</a>
        </p>
        <h2>Who read customers’ data</h2>
        <p>
          Each read of your customers’ personal data, by an API application or on these pages, is
          noted for {KEPT_DAYS} days.{' '}
          {!shown.isNoted && (
            <strong>
              The operator of this service has not switched this on: nothing is noted.
            </strong>
          )}
        </p>
        <ReadsForm {...shown} />
        {shown.found !== null && <Found query={shown.query} {...shown.found} />}
      </>
    ),
  };
}

function Retention({
  retention: { months, isOwn, retained_from },
}: {
  readonly retention: VendorRetention;
}) {
  return (
    <section aria-labelledby="retention-title">
      <h2 id="retention-title">How long customers’ data is kept</h2>
      <p>
        {months === null ? (
          'Your customers’ personal data is kept for ever.'
        ) : (
          <>
            Your customers’ personal data is kept for{' '}
            <strong>
              {numberText(months)} {months === 1 ? 'month' : 'months'}
            </strong>{' '}
            after a sale, and of a recurring payment until so long after its end. Then names,
            addresses and the like are emptied for good; amounts, dates and products stay.
          </>
        )}{' '}
        {isOwn ? 'This was set for you by' : 'This holds for all vendors of'} the operator of this
        service, who alone can change it.
      </p>
      {retained_from !== null && (
        <p>
          Sales before <time>{retained_from}</time> have no personal data, also if they arrive
          later.
        </p>
      )}
    </section>
  );
}

function ReadsForm({ query, problems }: ShownReads) {
  const { transaction, from, to } = query;
  const hint = 'Or the key of a subscription. Lists that may have had it are shown, too.';
  return (
    <form class="choose card" action={DATA_PROTECTION_PATH} aria-label="Which reads">
      <Field
        label="Transaction"
        name="transaction"
        value={transaction}
        maxLength={255}
        hint={hint}
      />
      <Field label="First day" name="from" type="date" value={from} problems={problems} />
      <Field label="Last day" name="to" type="date" value={to} problems={problems} />
      <button>Show</button>
    </form>
  );
}

function Found({
  query,
  page: { reads, next },
  readers,
}: {
  readonly query: ReadsQuery;
  readonly page: ReadsPage;
  readonly readers: Readers;
}) {
  return (
    <>
      {reads.length === 0 ? <p class="empty">None.</p> : <Reads reads={reads} readers={readers} />}
      {next !== null && (
        <>
          {reads.length === 0 && (
            <p class="empty">
              Searched as far as {next.read_at}. There may be more on the next page.
            </p>
          )}
          <nav class="pages" aria-label="Pages">
            <a class="button quiet" href={readsPath(query, next)} rel="next">
              Older
            </a>
          </nav>
        </>
      )}
    </>
  );
}
