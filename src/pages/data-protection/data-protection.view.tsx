import { KEPT_DAYS, type ReadsPage } from '../../modules/personal-reads/personal-read.model.js';
import type { Page } from '../http/page-answer.js';
import { Field, type FormProblem } from '../ui/form.view.js';
import { DATA_PROTECTION_PATH, readsPath, type ReadsQuery } from './reads-query.js';
import { Reads, type Readers } from './reads.view.js';

interface ShownReads {
  readonly query: ReadsQuery;
  readonly problems: readonly FormProblem[];
  /** False if the operator has not switched it on. */
  readonly isNoted: boolean;
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
      <Field label="First day" name="from" type="date" value={from} {...{ problems }} />
      <Field label="Last day" name="to" type="date" value={to} {...{ problems }} />
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
      {reads.length === 0 ? <p class="empty">None.</p> : <Reads {...{ reads, readers }} />}
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
