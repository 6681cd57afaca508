import { Injectable } from '@nestjs/common';
import { ApiError } from '../../../api/errors/api-error.js';
import { isCalendarDay } from '../../../platform/values/time.js';
import { integerWords, isIntegerIn } from '../../../api/validation/validators.js';
import type { Called } from './deliveries.service.js';
import { ChangesFeedService } from '../../../ledger/changes/changes-feed.service.js';
import { ApiApplicationsService } from '../../accounts/index.js';
import { ActivityService } from '../../audit/index.js';
import { WebhooksService, type EndpointEdit, type WaitingEndpoint } from '../webhooks.service.js';
import {
  DELIVERY_BYTES,
  endpointSubject,
  NotFailingError,
  RefusedEndpointError,
  UnknownEndpointError,
  UnreadableSecretError,
  type ShownEndpoint,
} from '../webhook.model.js';
import { PasswordConfirmation } from '../../../platform/pages/password-confirmation.js';
import { pageOf, redirectTo, type PageAnswer } from '../../../platform/pages/page-answer.js';
import type { PageRoutes, Pages } from '../../../platform/pages/page-router.js';
import { WEBHOOKS } from '../webhooks.feature.js';
import {
  addResource,
  doneMessage,
  secretFrom,
  type ListedResource,
} from '../../../platform/pages/resource.js';
import {
  NewButton,
  showsNew,
  WorkBadge,
  type ShownSecret,
} from '../../../platform/pages/resource.view.js';
import { authorOf, type SignedInVisit } from '../../../platform/pages/visit.js';
import { FormButton, FormProblem } from '../../../platform/pages/ui/form.view.js';
import { isolatedText } from '../../../platform/pages/ui/isolated-text.js';
import { Table, type Column } from '../../../platform/pages/ui/table.view.js';
import { countText, DateTime } from '../../../platform/pages/ui/values.view.js';
import { WebhookMessagesService } from './webhook-messages.service.js';
import { deliveryPage } from './delivery.view.js';
import { filterIn } from './event-choice.view.js';
import { NewEndpoint } from './new-endpoint.view.js';
import { SKIP_FIELD, URL_FIELD, waitingWords, webhookPage } from './webhook.view.js';

const PATH = WEBHOOKS.pages.endpoints.path;

/** Serves the pages of the user's webhook endpoints. */
@Injectable()
export class WebhookPages implements Pages {
  private readonly resource: ListedResource = {
    actions: {
      secret: {
        sentence: (url) => `The secret of ${url} will be shown.`,
        button: 'Show the secret',
        page: async (visit) => {
          const read = async () =>
            (await this.webhooks.showSecret(visit.user.id, visit.id, authorOf(visit))).secret;
          return this.show(visit, { secret: await secretFrom(read, UnreadableSecretError) });
        },
      },
      test: {
        page: async (visit) =>
          this.show(visit, { tested: await this.webhooks.test(visit.user.id, visit.id) }),
      },
      rotate: {
        sentence: (url) => `${url} will get a new secret.`,
        button: 'Create a new secret',
        done: 'The endpoint has a new secret. Both secrets are valid for 24 hours.',
        change: (visit) => this.webhooks.rotate(visit.user.id, visit.id, authorOf(visit)),
      },
      pause: {
        sentence: (url) => `The endpoint ${url} will be paused.`,
        button: 'Pause',
        done: 'The endpoint is paused. Nothing is lost meanwhile.',
        change: (visit) => this.edit(visit, { state: 'paused' }),
      },
      resume: {
        sentence: (url) => `The endpoint ${url} will be active again.`,
        button: 'Resume',
        done: 'The endpoint is active again.',
        change: (visit) => this.edit(visit, { state: 'active' }),
      },
      change: {
        sentence: (url) => `The endpoint ${url} will be changed.`,
        button: 'Save changes',
        done: 'Your changes were saved.',
        change: (visit) => this.change(visit),
      },
      replay: {
        sentence: (url) => `Changes will be sent to ${url} again.`,
        button: 'Send again',
        done: 'The changes are sent again.',
        page: (visit) => this.replay(visit),
      },
      retry: {
        sentence: (url) => `The failing delivery to ${url} will be tried again.`,
        button: 'Try again now',
        done: 'The delivery is tried again within seconds.',
        change: (visit) => this.edit(visit, { state: 'active' }),
      },
      skip: {
        sentence: (url) =>
          `The failing delivery to ${url} will be skipped: the receiver does not get its changes.`,
        button: 'Skip the delivery',
        isDangerous: true,
        done: 'The delivery was skipped. The last deliveries show its sequences.',
        change: (visit) =>
          this.webhooks.skip(visit.user.id, visit.id, visit.field(SKIP_FIELD), authorOf(visit)),
      },
      remove: {
        sentence: (url) => `The endpoint ${url} will be removed.`,
        button: 'Remove the endpoint',
        isDangerous: true,
        next: PATH,
        change: (visit) => this.webhooks.remove(visit.user.id, visit.id, authorOf(visit)),
      },
    },
    created:
      'The endpoint was added. Show its secret to verify what it receives, then send a test.',
    pathOf: (visit) => `${PATH}/${visit.id}`,
    nameOf: async (visit) => (await this.webhooks.get(visit.user.id, visit.id)).url,
    list: async (visit, problems) => {
      const endpoints = await this.webhooks.listWithWaiting(visit.user.id);
      const isNew = showsNew(visit, endpoints.length, problems);
      return webhooksPage({ endpoints, kinds: this.feed.kinds, isNew }, problems);
    },
    create: (visit) => this.create(visit),
    show: (visit, problems) => this.show(visit, {}, problems),
    errorOf,
  };

  constructor(
    private readonly webhooks: WebhooksService,
    private readonly activity: ActivityService,
    private readonly applications: ApiApplicationsService,
    private readonly feed: ChangesFeedService,
    private readonly messages: WebhookMessagesService,
    private readonly passwords: PasswordConfirmation,
  ) {}

  addTo(routes: PageRoutes): void {
    addResource(routes, '/webhooks', this.resource, this.passwords);
    const shown = { operation: 'page.delivery' } as const;
    routes.get('/webhooks/:id/deliveries/:number', (visit) => this.delivery(visit), shown);
  }

  private async create(visit: SignedInVisit): Promise<PageAnswer> {
    const wanted = {
      url: visit.field('url').trim(),
      from: startIn(visit),
      max_bytes: visit.field('max_bytes') === '' ? undefined : sizeIn(visit),
      ...filterIn(visit, this.feed.kinds),
    };
    const prompt = await this.passwords.promptFor(visit, () => ({
      action: PATH,
      sentence: `The endpoint ${isolatedText(wanted.url)} will be added.`,
      button: 'Add endpoint',
    }));
    if (prompt !== null) return prompt;
    const { id } = await this.webhooks.create(visit.user.id, wanted, authorOf(visit));
    return redirectTo(`${PATH}/${id}?done=created`);
  }

  /** Sends changes again. Without a day that is the whole ledger, which is asked about first. */
  private async replay(visit: SignedInVisit): Promise<PageAnswer> {
    const day = dayIn(visit);
    const path = `${PATH}/${visit.id}`;
    if (day === null && visit.field(ALL_FIELD) !== 'yes') {
      const endpoint = await this.webhooks.get(visit.user.id, visit.id);
      return replayPage(
        path,
        endpoint,
        await this.webhooks.waitingFor({ ...endpoint, position: 0 }),
      );
    }
    await this.webhooks.replay(visit.user.id, visit.id, day, authorOf(visit));
    return redirectTo(`${path}?done=replay`);
  }

  /** Shows a delivery with the present data of its changes. */
  private async delivery(visit: SignedInVisit): Promise<PageAnswer> {
    const { id: vendor_id } = visit.user;
    const number = visit.textInPath('number');
    const kept = await this.webhooks.deliveries(vendor_id, visit.id).catch((error: unknown) => {
      throw errorOf(error);
    });
    const delivery = kept.find((each) => String(each.number) === number);
    if (delivery === undefined) {
      throw new ApiError('not_found', 'This delivery is not kept any more.');
    }
    const shown = await this.messages.sentIn(vendor_id, delivery);
    return {
      ...deliveryPage(`${PATH}/${visit.id}`, shown),
      reads: shown.count === 0 ? [] : [{ records: shown.count }],
    };
  }

  /** Changes what differs from the endpoint, so that the audit log names it. */
  private async change(visit: SignedInVisit): Promise<void> {
    const stored = await this.webhooks.get(visit.user.id, visit.id);
    const [url, max_bytes] = [visit.field('url').trim(), sizeIn(visit)];
    await this.edit(visit, {
      ...(url === stored.url ? {} : { url }),
      ...(max_bytes === stored.max_bytes ? {} : { max_bytes }),
      ...filterIn(visit, this.feed.kinds),
    });
  }

  private edit(visit: SignedInVisit, edit: EndpointEdit): Promise<ShownEndpoint> {
    return this.webhooks.edit(visit.user.id, visit.id, edit, authorOf(visit));
  }

  private async show(
    visit: SignedInVisit,
    { secret = {}, tested }: { readonly secret?: ShownSecret; readonly tested?: Called },
    problems: readonly FormProblem[] = [],
  ): Promise<PageAnswer> {
    const endpoint = await this.webhooks.get(visit.user.id, visit.id);
    return webhookPage({
      endpoint,
      kinds: this.feed.kinds,
      history: await this.activity.historyOf(
        visit.user.id,
        endpointSubject(endpoint),
        this.applications,
      ),
      done: doneMessage(visit, this.resource),
      problems,
      secret,
      tested,
      waiting: await this.webhooks.waitingFor(endpoint),
      failing: await this.webhooks.failingOf(endpoint),
      deliveries: await this.webhooks.deliveries(visit.user.id, endpoint.id),
    });
  }
}

/** @throws FormProblem if nothing is chosen */
function startIn(visit: SignedInVisit): 'now' | 'beginning' {
  const from = visit.field('from');
  if (from === 'now' || from === 'beginning') return from;
  throw new FormProblem('from', 'Choose what to send.');
}

/**
 * Returns the size in bytes.
 * @throws FormProblem if it is out of range
 */
function sizeIn(visit: SignedInVisit): number {
  const bytes = visit.field('max_bytes').trim();
  if (isIntegerIn(bytes, DELIVERY_BYTES)) return Number(bytes);
  throw new FormProblem('max_bytes', `The size must be ${integerWords(DELIVERY_BYTES)}.`);
}

/**
 * Returns the chosen day, or null if the field is empty.
 * @throws FormProblem if it is not a day
 */
function dayIn(visit: SignedInVisit): string | null {
  const day = visit.field('from').trim();
  if (day === '') return null;
  if (isCalendarDay(day)) return day;
  throw new FormProblem('from', 'The day must be a date such as 2025-06-01.');
}

/**
 * Converts the errors of an endpoint: that of another user is not found, and an invalid URL or
 * filter is shown at its field.
 */
function errorOf(error: unknown): unknown {
  if (error instanceof UnknownEndpointError) {
    return new ApiError('not_found', 'You have no such webhook endpoint.');
  }
  if (error instanceof RefusedEndpointError) {
    return new FormProblem(error.field, problemFor(error));
  }
  if (error instanceof NotFailingError) return new FormProblem(SKIP_FIELD, error.message);
  return error;
}

/** Returns the problem in the words of the form. The API names its field. */
function problemFor({ field, message }: RefusedEndpointError): string {
  if (field !== URL_FIELD.name) return message.replace(/^product_ids/, 'The products');
  const isOfOtherScheme = message.includes('begins with https://');
  return isOfOtherScheme
    ? 'Enter an address that starts with https://'
    : message.replace('url', 'The address');
}

/** Confirms that the whole ledger is sent. */
const ALL_FIELD = 'all';

/** @param changes maximum number of changes that are sent */
function replayPage(path: string, { url }: ShownEndpoint, changes: number) {
  return pageOf(
    { title: 'Send everything again?', back: [path, 'Back to the endpoint'], frame: 'card' },
    <>
      <p>
        You chose no day, so the whole ledger will be sent to {url}: at most{' '}
        <strong>{countText(changes, 'change')}</strong>.
      </p>
      <FormButton
        action={`${path}/replay`}
        label="Send again"
        hidden={{ [ALL_FIELD]: 'yes' }}
        words="Send everything"
      />
      <p>
        <a href={path}>Don’t send</a>
      </p>
    </>,
  );
}

interface ShownEndpoints {
  readonly endpoints: readonly WaitingEndpoint[];
  /** Kinds of the records in the feed. */
  readonly kinds: readonly string[];
  /** True to show the form of a new endpoint. */
  readonly isNew: boolean;
}

function webhooksPage(
  { endpoints, kinds, isNew }: ShownEndpoints,
  problems: readonly FormProblem[],
) {
  return pageOf(
    {
      title: 'Webhooks',
      problems,
      tools: isNew ? null : <NewButton path={PATH} verb="Add" thing="an endpoint" />,
    },
    <>
      {endpoints.length > 0 && <Table label="Endpoints" columns={COLUMNS} rows={endpoints} />}
      {isNew && <NewEndpoint kinds={kinds} isFirst={endpoints.length === 0} problems={problems} />}
    </>,
  );
}

const COLUMNS: readonly Column<WaitingEndpoint>[] = [
  { name: 'Endpoint', cell: ({ id, url }) => <a href={`${PATH}/${id}`}>{url}</a> },
  { name: 'Status', isMain: true, cell: (endpoint) => <WorkBadge {...endpoint} /> },
  {
    name: 'Last delivery',
    narrow: 'bare',
    cell: ({ last_taken, problem }) => (
      <>
        {last_taken !== null && <span class="narrow-only">delivered </span>}
        <DateTime at={last_taken} otherwise="never delivered" />
        {problem !== null && <span class="hint"> Last failure: {problem}</span>}
      </>
    ),
  },
  {
    name: 'Waiting',
    narrow: 'bare',
    isZero: ({ waiting }) => waiting === 0,
    cell: ({ waiting }) => (
      <>
        <span class="narrow-only">waiting: </span>
        {waitingWords(waiting)}
      </>
    ),
  },
];
