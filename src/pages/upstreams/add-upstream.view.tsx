import { OWN_WORDS } from '../../modules/upstreams/upstream.model.js';
import type { Page } from '../http/page-answer.js';
import type { SignedInVisit } from '../session/visit.js';
import { Done, Field, type FormProblem } from '../ui/form.view.js';
import { Form } from '../ui/layout.view.js';
import { EVERY_MINUTES, KEY_FIELD, WORD_FIELDS } from './upstream-form.js';
import { UPSTREAM_PATH } from './upstream.view.js';

/** Message for vendors who may not add an upstream. */
export const ASK_OPERATOR = 'The operator of this service adds mirrors. Ask there for one.';

interface Properties {
  readonly visit: SignedInVisit;
  readonly problems: readonly FormProblem[];
}

/** Shows the page of a user without an upstream who may add one. */
export function addUpstreamPage(
  visit: SignedInVisit,
  problems: readonly FormProblem[],
  isRemoved: boolean,
): Page {
  return {
    kind: 'page',
    title: 'Mirror',
    failure: problems.length === 0 ? undefined : 'invalid_parameters',
    view: (
      <>
        <Head isRemoved={isRemoved} />
        <section class="card" aria-labelledby="add-title">
          <h2 id="add-title">Add a mirror</h2>
          <Form visit={visit} action={UPSTREAM_PATH}>
            <Fields visit={visit} problems={problems} />
            <Words visit={visit} problems={problems} />
            <button>Add mirror</button>
          </Form>
        </section>
      </>
    ),
  };
}

/** Shows the page of a user without an upstream who may not add one. */
export function noUpstreamPage(isRemoved: boolean): Page {
  return {
    kind: 'page',
    title: 'Mirror',
    view: (
      <>
        <Head isRemoved={isRemoved} />
        <p>{ASK_OPERATOR}</p>
      </>
    ),
  };
}

function Head({ isRemoved }: { readonly isRemoved: boolean }) {
  return (
    <>
      <h1>Mirror</h1>
      <Done>{isRemoved ? 'The mirror was removed. What was read stays.' : null}</Done>
      <p class="lead">
        If your sales are at another service with the same API, this service can read them from
        there: all of them first, and then what is new.
      </p>
    </>
  );
}

function Fields({ visit, problems }: Properties) {
  const isSent = problems.length > 0;
  return (
    <>
      <Field
        label="URL of the other service"
        name="url"
        type="url"
        value={visit.field('url')}
        problems={problems}
        hint="Without the version: https://api.example.com for https://api.example.com/v3.0."
        autocomplete="off"
        spellcheck={false}
        required
      />
      <Field
        label="Your API key there"
        name={KEY_FIELD}
        type="password"
        problems={problems}
        hint={`It is stored encrypted, and never shown again.${isSent ? ' Enter it again.' : ''}`}
        autocomplete="off"
        required
      />
      <Field
        label="Minutes between runs"
        name="every"
        type="number"
        min={EVERY_MINUTES.least}
        max={EVERY_MINUTES.most}
        value={isSent ? visit.field('every') : EVERY_MINUTES.default}
        problems={problems}
        hint={`How often new sales are looked for: ${EVERY_MINUTES.least} to ${EVERY_MINUTES.most}.`}
        required
      />
    </>
  );
}

const EXAMPLES = {
  service: 'Such as acme, if it has acme_fee for service_fee.',
  processor: 'Such as pay, if it has pay_email for processor_email.',
};

/**
 * Shows the fields for other names folded unless one has a value, because few upstreams need them.
 */
function Words({ visit, problems }: Properties) {
  return (
    <details class="field" open={WORD_FIELDS.some((name) => visit.field(name) !== '')}>
      <summary>It has other names for some fields …</summary>
      {WORD_FIELDS.map((name) => (
        <Field
          label={`Its word for ${OWN_WORDS[name]} (optional)`}
          name={name}
          value={visit.field(name)}
          problems={problems}
          hint={EXAMPLES[name]}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
        />
      ))}
    </details>
  );
}
