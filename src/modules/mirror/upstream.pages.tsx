import { Injectable } from '@nestjs/common';
import { ApiError } from '../../api/errors/api-error.js';
import type { Author } from '../../platform/values/author.js';
import { serviceUrlOf } from '../../platform/values/service-url.js';
import { valueOf } from '../../config/declared-settings.js';
import { Settings } from '../../config/settings.js';
import { MIRROR } from './mirror.feature.js';
import { UpstreamsService, type NewUpstream } from './upstreams/upstreams.service.js';
import {
  EVERY_SECONDS,
  OWN_WORDS,
  UnknownUpstreamError,
  UnreachableUpstreamError,
  UnusableUpstreamError,
  type ShownUpstream,
} from './upstreams/upstream.model.js';
import { PasswordConfirmation } from '../../platform/pages/password-confirmation.js';
import { pageOf, redirectTo, type PageAnswer } from '../../platform/pages/page-answer.js';
import type { PageRoutes, Pages } from '../../platform/pages/page-router.js';
import {
  addActions,
  doneMessage,
  secretFrom,
  type Resource,
} from '../../platform/pages/resource.js';
import type { ShownSecret } from '../../platform/pages/resource.view.js';
import { authorOf, type SignedInVisit } from '../../platform/pages/visit.js';
import { Setting } from '../../platform/pages/ui/facts.view.js';
import { Fields, Form, FormProblem, type TextField } from '../../platform/pages/ui/form.view.js';
import { isolatedText } from '../../platform/pages/ui/isolated-text.js';
import { upstreamPage, WORD_FIELDS } from './upstream.view.js';
import { Operator } from '../../platform/pages/frame/operator.view.js';

const PATH = MIRROR.pages.upstream.path;

const ADDED =
  'The other service is connected. Reading begins within seconds, with the newest months.';
/** Message for vendors who may not add an upstream. */
const ASK_OPERATOR = 'Your operator connects other services. Ask there for it.';
const SECONDS_A_MINUTE = 60;
const LEAST = EVERY_SECONDS.least / SECONDS_A_MINUTE;
const MOST = EVERY_SECONDS.most / SECONDS_A_MINUTE;
const MINUTES = EVERY_SECONDS.default / SECONDS_A_MINUTE;
/** Before a service is connected, one request tests its address and the key. */
const TEST_AND_CONNECT = 'Test and connect';
/** Box that leaves out the request to the other service. */
const UNCHECKED = 'unchecked';

/** The other service does not answer, or rejects the key. */
class CheckProblem extends FormProblem {}

/** Field for the API key, which no page shows. */
const KEY_FIELD = 'key';

/** Serves the page of the user's upstream; a user has at most one. */
@Injectable()
export class UpstreamPages implements Pages {
  /** A run only reads, so it requires no password. */
  /** True if vendors may add upstreams. */
  private readonly isOpen: boolean;
  private readonly resource: Resource = {
    actions: {
      address: {
        sentence: () => 'The address for notifications will be shown.',
        button: 'Show the address',
        page: async (visit) => {
          const read = () => this.notifyUrl(visit);
          return this.show(visit, await secretFrom(read, UnusableUpstreamError));
        },
      },
      run: {
        done: 'New sales are read within seconds.',
        change: this.changing((id, by) => this.upstreams.run(id, 'recent', by)),
      },
      full: {
        done: 'Everything is read again, beginning within seconds.',
        change: this.changing((id, by) => this.upstreams.run(id, 'full', by)),
      },
      pause: {
        sentence: (url) => `The import from ${url} will be paused.`,
        button: 'Pause',
        done: 'The import is paused. Nothing is read until you resume it.',
        change: this.changing((id, by) => this.upstreams.setState(id, 'paused', by)),
      },
      resume: {
        sentence: (url) => `The import from ${url} will be active again.`,
        button: 'Resume',
        done: 'The import is active again.',
        change: this.changing((id, by) => this.upstreams.setState(id, 'active', by)),
      },
      remove: {
        sentence: (url) => `The connection to ${url} will be removed.`,
        button: 'Remove the connection',
        isDangerous: true,
        next: `${PATH}?done=removed`,
        change: this.changing((id, by) => this.upstreams.remove(id, by)),
      },
    },
    pathOf: () => PATH,
    nameOf: async (visit) => (await this.own(visit)).url,
    show: (visit, problems) => this.show(visit, {}, problems),
    // It was removed on another page in the meantime.
    errorOf: (error) => (error instanceof UnknownUpstreamError ? noUpstream() : error),
  };

  constructor(
    private readonly upstreams: UpstreamsService,
    private readonly passwords: PasswordConfirmation,
    private readonly settings: Settings,
  ) {
    this.isOpen = valueOf(settings, MIRROR.settings.vendorUpstreams);
  }

  addTo(routes: PageRoutes): void {
    routes.get('/upstream', (visit) => this.show(visit));
    routes.post('/upstream', (visit) => this.add(visit));
    addActions(routes, '/upstream', this.resource, this.passwords);
  }

  private async show(
    visit: SignedInVisit,
    address: ShownSecret = {},
    problems: readonly FormProblem[] = [],
  ): Promise<PageAnswer> {
    const upstream = await this.upstreams.ofVendor(visit.user.id);
    const done = visit.query('done');
    if (upstream !== null) {
      const message = done === 'added' ? ADDED : doneMessage(visit, this.resource);
      return upstreamPage(upstream, message, address, problems);
    }
    return noUpstreamPage(visit, this.isOpen, problems);
  }

  private async add(visit: SignedInVisit): Promise<PageAnswer> {
    if (!this.isOpen) throw new ApiError('forbidden', ASK_OPERATOR);
    try {
      const wanted = newUpstreamIn(visit, this.passwords.secretIn(visit, KEY_FIELD));
      const describe = () => ({
        action: PATH,
        sentence: `Sales will be imported from ${isolatedText(wanted.url)}.`,
        button: TEST_AND_CONNECT,
      });
      const prompt = await this.passwords.promptFor(visit, describe, KEY_FIELD);
      if (prompt !== null) return prompt;
      const { id } = visit.user;
      if (visit.field(UNCHECKED) !== 'on') await this.upstreams.check(id, wanted);
      await this.upstreams.add(id, wanted, authorOf(visit));
    } catch (error) {
      return this.show(visit, {}, problemsOf(error, visit));
    }
    return redirectTo(`${PATH}?done=added`);
  }

  /** Returns a handler that changes the upstream of the signed-in user. */
  private changing(change: (id: number, by: Author) => Promise<ShownUpstream>) {
    return async (visit: SignedInVisit) => change((await this.own(visit)).id, authorOf(visit));
  }

  private async notifyUrl(visit: SignedInVisit): Promise<string> {
    const path = await this.upstreams.notifyPathOf(visit.user.id);
    if (path === null) throw noUpstream();
    return serviceUrlOf(this.settings.publicUrl, visit.request) + path;
  }

  private async own(visit: SignedInVisit): Promise<ShownUpstream> {
    const found = await this.upstreams.ofVendor(visit.user.id);
    if (found === null) throw noUpstream();
    return found;
  }
}

function noUpstream(): ApiError {
  return new ApiError('not_found', 'You have not connected another service.');
}

/**
 * Reads the form.
 * @param key value of the field KEY_FIELD
 * @throws FormProblem if a field is not valid
 */
function newUpstreamIn(visit: SignedInVisit, key: string): NewUpstream {
  return {
    url: visit.field('url').trim(),
    key: key.trim(),
    words: {
      service: visit.field('service').trim() || OWN_WORDS.service,
      processor: visit.field('processor').trim() || OWN_WORDS.processor,
    },
    every_seconds: minutesIn(visit) * SECONDS_A_MINUTE,
  };
}

/**
 * Returns the problems of the form, each at its field. A problem without a field belongs to the
 * whole form.
 * @throws the error if it is not a problem of the form
 */
function problemsOf(error: unknown, visit: SignedInVisit): FormProblem[] {
  if (error instanceof FormProblem) return [error];
  if (error instanceof UnreachableUpstreamError) {
    return [new CheckProblem(error.field, error.message)];
  }
  if (!(error instanceof UnusableUpstreamError)) throw error;
  const [named = ''] = error.message.split(' ');
  if (named !== 'names') return [new FormProblem(named, sentenceOf(error.message))];
  // Fields that were left empty are valid.
  const entered = WORD_FIELDS.filter((field) => visit.field(field).trim() !== '');
  return entered.map((field) => new FormProblem(field, 'It must be a word such as acme.'));
}

/** Returns the problem in the words of the form; it begins with the name of its field. */
function sentenceOf(message: string): string {
  return message
    .replace(/^url must be a URL that begins with/, 'Enter an address that starts with')
    .replace(/^(?=url|key)/, 'The ');
}

/** @throws FormProblem if the number is out of range */
function minutesIn(visit: SignedInVisit): number {
  const text = visit.field('every').trim();
  const minutes = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  if (minutes >= LEAST && minutes <= MOST) return minutes;
  throw new FormProblem('every', `It must be ${LEAST} to ${MOST} minutes.`);
}

/** @param mayAdd false if only the operator adds mirrors */
function noUpstreamPage(visit: SignedInVisit, mayAdd: boolean, problems: readonly FormProblem[]) {
  const isRemoved = visit.query('done') === 'removed';
  return pageOf(
    {
      title: 'Import from another service',
      problems,
      done: isRemoved ? 'The connection was removed. What was read stays.' : null,
    },
    <Setting
      id="add-title"
      title={mayAdd ? 'Connect a service' : 'No service is connected'}
      about={
        <>
          <p>
            Do you sell through another service that has this API?
            {mayAdd && ' Bring those sales here.'}
          </p>
          {mayAdd && <ImportSteps />}
        </>
      }
    >
      {mayAdd ? (
        <NewUpstream visit={visit} problems={problems} />
      ) : (
        <p>
          <Operator isFirst /> connects other services. Ask there for it.
        </p>
      )}
    </Setting>,
  );
}

/** Says what happens after the form is sent. */
function ImportSteps() {
  return (
    <>
      <ol>
        <li>Enter the address and your key. We test them.</li>
        <li>The newest months come first, within minutes.</li>
        <li>Older ones follow, and new sales keep coming.</li>
      </ol>
      <p>Nothing changes at the other service.</p>
    </>
  );
}

function NewUpstream({
  visit,
  problems,
}: {
  readonly visit: SignedInVisit;
  readonly problems: readonly FormProblem[];
}) {
  return (
    <Form action={PATH}>
      <Fields fields={fieldsFor(problems.length > 0)} />
      <details class="field" open={isAdvanced(visit)}>
        <summary>Advanced</summary>
        <Fields fields={ADVANCED} />
      </details>
      {problems.some((problem) => problem instanceof CheckProblem) && (
        <p class="field">
          <label class="choice">
            <input type="checkbox" name={UNCHECKED} />
            Connect anyway. The service is tried again until it answers.
          </label>
        </p>
      )}
      <button>{TEST_AND_CONNECT}</button>
    </Form>
  );
}

function fieldsFor(isSent: boolean): TextField[] {
  return [
    {
      label: 'Address of the other service',
      name: 'url',
      type: 'url',
      initial: '',
      placeholder: 'https://api.example.com',
      hint: 'The address of its API, without /v3.0 at its end.',
      autocomplete: 'off',
      spellcheck: false,
      required: true,
    },
    {
      label: 'Your API key there',
      name: KEY_FIELD,
      type: 'password',
      hint: `Create a key there, among its API applications. It is stored encrypted, and never shown again.${isSent ? ' Enter it again.' : ''}`,
      autocomplete: 'off',
      required: true,
    },
  ];
}

const EXAMPLES = {
  service: 'Such as acme, if it has acme_fee for service_fee.',
  processor: 'Such as pay, if it has pay_email for processor_email.',
};

/** Fields that are folded unless one was changed, because few upstreams need them. */
const ADVANCED: readonly TextField[] = [
  {
    label: 'Minutes between imports',
    name: 'every',
    type: 'number',
    class: 'short',
    min: LEAST,
    max: MOST,
    initial: MINUTES,
    hint: `How often new sales are looked for: ${LEAST} to ${MOST}.`,
    required: true,
  },
  ...WORD_FIELDS.map((name): TextField => ({
    label: `Word for “${OWN_WORDS[name]}” there (optional)`,
    name,
    initial: '',
    hint: EXAMPLES[name],
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: false,
  })),
];

/** Returns whether a folded field was sent with a value of its own. */
function isAdvanced(visit: SignedInVisit): boolean {
  const isOwnPace = !['', String(MINUTES)].includes(visit.field('every').trim());
  return isOwnPace || WORD_FIELDS.some((name) => visit.field(name) !== '');
}
