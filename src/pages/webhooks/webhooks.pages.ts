import { Injectable } from '@nestjs/common';
import { ApiError } from '../../common/errors/api-error.js';
import { isCalendarDay } from '../../common/time.js';
import { integerWords, isIntegerIn } from '../../common/validation/validators.js';
import { NO_APPLICATION } from '../../modules/audit/audit.model.js';
import { WebhookChangesService } from '../../modules/webhooks/endpoints/webhook-changes.service.js';
import { WebhooksService } from '../../modules/webhooks/endpoints/webhooks.service.js';
import {
  DELIVERY_BYTES,
  NotFailingError,
  TooManyEndpointsError,
  UnknownEndpointError,
  UnreadableSecretError,
  UnusableUrlError,
} from '../../modules/webhooks/webhook.model.js';
import type { Confirmed } from '../confirm/confirm.view.js';
import { PasswordConfirmation } from '../confirm/password-confirmation.js';
import { ownPath } from '../http/own-path.js';
import { redirectTo, type PageAnswer } from '../http/page-answer.js';
import type { PageRoutes, Pages } from '../http/page-router.js';
import type { SignedInVisit } from '../session/visit.js';
import { FormProblem } from '../ui/form.view.js';
import { isolatedText } from '../ui/isolated-text.js';
import {
  WEBHOOK_ACTIONS,
  webhookPage,
  type WebhookAction,
  type WebhookView,
} from './webhook.view.js';
import { SKIP_FIELD } from './skip.view.js';
import { WEBHOOKS_PATH, webhooksPage } from './webhooks.view.js';

type Change = (visit: SignedInVisit, id: number) => Promise<unknown>;

type ConfirmedAction = WebhookAction | 'secret' | 'remove';

/**
 * Texts of the confirmation: the sentence that a user confirms with the password, and the label of
 * the button.
 */
const CONFIRMATIONS: Readonly<
  Record<ConfirmedAction, (url: string) => readonly [sentence: string, button: string]>
> = {
  secret: (url) => [`The secret of ${url} will be shown.`, 'Show the secret'],
  rotate: (url) => [`${url} will get a new secret.`, 'Create a new secret'],
  pause: (url) => [`The endpoint ${url} will be paused.`, 'Pause'],
  resume: (url) => [`The endpoint ${url} will be active again.`, 'Resume'],
  url: (url) => [`The URL of ${url} will be changed.`, 'Change the URL'],
  size: (url) => [`The size of deliveries to ${url} will be changed.`, 'Change the size'],
  replay: (url) => [`Changes will be sent to ${url} again.`, 'Replay'],
  skip: (url) => [
    `The failing delivery to ${url} will be skipped: the receiver does not get its changes.`,
    'Skip the delivery',
  ],
  remove: (url) => [`The endpoint ${url} will be removed.`, 'Remove the endpoint'],
};

/** Serves the pages of the user's webhook endpoints. */
@Injectable()
export class WebhookPages implements Pages {
  private readonly actions: Readonly<Record<WebhookAction, Change>> = {
    rotate: (visit, id) => this.changes.rotate(visit.user.id, id, byOf(visit)),
    pause: (visit, id) => this.changes.edit(visit.user.id, id, { state: 'paused' }, byOf(visit)),
    resume: (visit, id) => this.changes.edit(visit.user.id, id, { state: 'active' }, byOf(visit)),
    url: (visit, id) =>
      this.changes.edit(visit.user.id, id, { url: visit.field('url').trim() }, byOf(visit)),
    size: (visit, id) =>
      this.changes.edit(visit.user.id, id, { max_bytes: sizeIn(visit) }, byOf(visit)),
    replay: (visit, id) => this.changes.replay(visit.user.id, id, dayIn(visit), byOf(visit)),
    skip: (visit, id) => this.changes.skip(visit.user.id, id, visit.field(SKIP_FIELD), byOf(visit)),
  };

  constructor(
    private readonly webhooks: WebhooksService,
    private readonly changes: WebhookChangesService,
    private readonly passwords: PasswordConfirmation,
  ) {}

  addTo(routes: PageRoutes): void {
    routes.get('/webhooks', (visit) => this.list(visit));
    routes.post('/webhooks', (visit) => this.create(visit));
    routes.get('/webhooks/:id', (visit) => this.show(visit));
    routes.post('/webhooks/:id/secret', (visit) => this.showSecret(visit));
    routes.post('/webhooks/:id/test', (visit) => this.test(visit));
    routes.post('/webhooks/:id/remove', (visit) => this.remove(visit));
    for (const action of WEBHOOK_ACTIONS) {
      routes.post(`/webhooks/:id/${action}`, (visit) => this.change(visit, action));
    }
  }

  private async list(
    visit: SignedInVisit,
    problems: readonly FormProblem[] = [],
  ): Promise<PageAnswer> {
    return webhooksPage(visit, await this.webhooks.list(visit.user.id), problems);
  }

  private async create(visit: SignedInVisit): Promise<PageAnswer> {
    try {
      const wanted = {
        url: visit.field('url').trim(),
        from: startIn(visit),
        max_bytes: visit.field('max_bytes') === '' ? undefined : sizeIn(visit),
      };
      const prompt = await this.passwords.promptFor(visit, () => ({
        action: WEBHOOKS_PATH,
        back: WEBHOOKS_PATH,
        isDangerous: false,
        sentence: `The endpoint ${isolatedText(wanted.url)} will be added.`,
        button: 'Add endpoint',
      }));
      if (prompt !== null) return prompt;
      const { id } = await orProblem(this.changes.create(visit.user.id, wanted, byOf(visit)));
      return redirectTo(`${WEBHOOKS_PATH}/${id}?done=created`);
    } catch (error) {
      if (!(error instanceof FormProblem)) throw error;
      return this.list(visit, [error]);
    }
  }

  private async show(visit: SignedInVisit, view: WebhookView = {}): Promise<PageAnswer> {
    const endpoint = await orProblem(this.webhooks.get(visit.user.id, idOf(visit)));
    const sent = {
      waiting: await this.webhooks.waitingFor(endpoint),
      failing: await this.webhooks.failingOf(endpoint),
      deliveries: await orProblem(this.webhooks.deliveries(visit.user.id, endpoint.id)),
    };
    const done = view.problems === undefined ? visit.query('done') : '';
    return webhookPage(visit, endpoint, sent, { done, ...view });
  }

  private async showSecret(visit: SignedInVisit): Promise<PageAnswer> {
    const prompt = await this.passwords.promptFor(visit, () =>
      this.confirmationOf(visit, 'secret'),
    );
    if (prompt !== null) return prompt;
    try {
      const shown = this.changes.showSecret(visit.user.id, idOf(visit), byOf(visit));
      return await this.show(visit, { secret: (await orProblem(shown)).secret });
    } catch (error) {
      if (!(error instanceof UnreadableSecretError)) throw error;
      return this.show(visit, { isUnreadable: true });
    }
  }

  private async test(visit: SignedInVisit): Promise<PageAnswer> {
    const tested = await orProblem(this.webhooks.test(visit.user.id, idOf(visit)));
    return this.show(visit, { tested });
  }

  private async remove(visit: SignedInVisit): Promise<PageAnswer> {
    const prompt = await this.passwords.promptFor(visit, () =>
      this.confirmationOf(visit, 'remove'),
    );
    if (prompt !== null) return prompt;
    await orProblem(this.changes.remove(visit.user.id, idOf(visit), byOf(visit)));
    return redirectTo(ownPath(visit.field('next'), WEBHOOKS_PATH));
  }

  private async change(visit: SignedInVisit, action: WebhookAction): Promise<PageAnswer> {
    const prompt = await this.passwords.promptFor(visit, () => this.confirmationOf(visit, action));
    if (prompt !== null) return prompt;
    const id = idOf(visit);
    try {
      await orProblem(this.actions[action](visit, id));
    } catch (error) {
      if (!(error instanceof FormProblem)) throw error;
      return this.show(visit, { problems: [error] });
    }
    return redirectTo(`${WEBHOOKS_PATH}/${id}?done=${action}`);
  }

  private async confirmationOf(visit: SignedInVisit, action: ConfirmedAction): Promise<Confirmed> {
    const { id, url } = await orProblem(this.webhooks.get(visit.user.id, idOf(visit)));
    const back = `${WEBHOOKS_PATH}/${id}`;
    const [sentence, button] = CONFIRMATIONS[action](url);
    return {
      action: `${back}/${action}`,
      back,
      sentence,
      button,
      isDangerous: action === 'remove' || action === 'skip',
    };
  }
}

function byOf({ user }: SignedInVisit) {
  return { user_id: user.id, application_id: NO_APPLICATION };
}

function idOf(visit: SignedInVisit): number {
  const id = visit.idIn('id');
  if (id === null) throw noSuchEndpoint();
  return id;
}

/** @throws FormProblem if nothing is chosen */
function startIn(visit: SignedInVisit): 'now' | 'beginning' {
  const from = visit.field('from');
  if (from === 'now' || from === 'beginning') return from;
  throw new FormProblem('from', 'Choose what is sent.');
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
 * Converts the errors of an endpoint: that of another user is not found, and an invalid URL is
 * shown at its field.
 */
async function orProblem<Found>(found: Promise<Found>): Promise<Found> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof UnknownEndpointError) throw noSuchEndpoint();
    if (error instanceof UnusableUrlError || error instanceof TooManyEndpointsError) {
      throw new FormProblem('url', error.message);
    }
    if (error instanceof NotFailingError) throw new FormProblem(SKIP_FIELD, error.message);
    throw error;
  }
}

function noSuchEndpoint(): ApiError {
  return new ApiError('not_found', 'You have no such webhook endpoint.');
}
