import { Injectable } from '@nestjs/common';
import { ApiError } from '../../common/errors/api-error.js';
import { serviceUrlOf } from '../../common/service-url.js';
import { Settings } from '../../config/settings.js';
import { NO_APPLICATION } from '../../modules/audit/audit.model.js';
import { UpstreamChangesService } from '../../modules/upstreams/registry/upstream-changes.service.js';
import { UpstreamsService } from '../../modules/upstreams/registry/upstreams.service.js';
import {
  UnknownUpstreamError,
  UnusableUpstreamError,
  type ShownUpstream,
} from '../../modules/upstreams/upstream.model.js';
import type { Confirmed } from '../confirm/confirm.view.js';
import { PasswordConfirmation } from '../confirm/password-confirmation.js';
import { ownPath } from '../http/own-path.js';
import { redirectTo, type PageAnswer } from '../http/page-answer.js';
import type { PageRoutes, Pages } from '../http/page-router.js';
import type { SignedInVisit } from '../session/visit.js';
import { isolatedText } from '../ui/isolated-text.js';
import { addUpstreamPage, ASK_OPERATOR, noUpstreamPage } from './add-upstream.view.js';
import { KEY_FIELD, newUpstreamIn, problemsOf } from './upstream-form.js';
import {
  UPSTREAM_ACTIONS,
  UPSTREAM_PATH,
  upstreamPage,
  type UpstreamAction,
  type UpstreamView,
} from './upstream.view.js';

type Change = (id: number, by: ReturnType<typeof byOf>) => Promise<unknown>;

/** Actions that require the password. A run only reads, so it requires none. */
type ConfirmedAction = Exclude<UpstreamAction, 'run' | 'full'> | 'address' | 'remove';

/**
 * Texts of the confirmation: the sentence that a user confirms with the password, and the label of
 * the button.
 */
const CONFIRMATIONS: Readonly<
  Record<ConfirmedAction, (url: string) => readonly [sentence: string, button: string]>
> = {
  address: () => ['The address for notifications will be shown.', 'Show the address'],
  pause: (url) => [`The mirror of ${url} will be paused.`, 'Pause'],
  resume: (url) => [`The mirror of ${url} will be active again.`, 'Resume'],
  remove: (url) => [`The mirror of ${url} will be removed.`, 'Remove the mirror'],
};

function isConfirmed(action: UpstreamAction): action is UpstreamAction & ConfirmedAction {
  return Object.hasOwn(CONFIRMATIONS, action);
}

/** Serves the page of the user's upstream; a user has at most one. */
@Injectable()
export class UpstreamPages implements Pages {
  private readonly actions: Readonly<Record<UpstreamAction, Change>> = {
    run: (id, by) => this.changes.run(id, 'recent', by),
    full: (id, by) => this.changes.run(id, 'full', by),
    pause: (id, by) => this.changes.setState(id, 'paused', by),
    resume: (id, by) => this.changes.setState(id, 'active', by),
  };

  constructor(
    private readonly upstreams: UpstreamsService,
    private readonly changes: UpstreamChangesService,
    private readonly passwords: PasswordConfirmation,
    private readonly settings: Settings,
  ) {}

  addTo(routes: PageRoutes): void {
    routes.get('/upstream', (visit) => this.show(visit, { done: visit.query('done') }));
    routes.post('/upstream', (visit) => this.add(visit));
    routes.post('/upstream/address', (visit) => this.showAddress(visit));
    routes.post('/upstream/remove', (visit) => this.remove(visit));
    for (const action of UPSTREAM_ACTIONS) {
      routes.post(`/upstream/${action}`, (visit) => this.change(visit, action));
    }
  }

  private async show(visit: SignedInVisit, view: UpstreamView): Promise<PageAnswer> {
    const upstream = await this.upstreams.ofVendor(visit.user.id);
    if (upstream !== null) return upstreamPage(visit, upstream, view);
    const isRemoved = view.done === 'removed';
    if (!this.settings.vendorUpstreams) return noUpstreamPage(isRemoved);
    return addUpstreamPage(visit, view.problems ?? [], isRemoved);
  }

  private async add(visit: SignedInVisit): Promise<PageAnswer> {
    if (!this.settings.vendorUpstreams) throw new ApiError('forbidden', ASK_OPERATOR);
    try {
      const wanted = newUpstreamIn(visit, this.passwords.secretIn(visit, KEY_FIELD));
      const describe = () => ({
        action: UPSTREAM_PATH,
        back: UPSTREAM_PATH,
        isDangerous: false,
        sentence: `A mirror of ${isolatedText(wanted.url)} will be added.`,
        button: 'Add mirror',
      });
      const prompt = await this.passwords.promptFor(visit, describe, KEY_FIELD);
      if (prompt !== null) return prompt;
      await this.changes.add(visit.user.id, wanted, byOf(visit));
    } catch (error) {
      return this.show(visit, { problems: problemsOf(error, visit) });
    }
    return redirectTo(`${UPSTREAM_PATH}?done=added`);
  }

  private async change(visit: SignedInVisit, action: UpstreamAction): Promise<PageAnswer> {
    if (isConfirmed(action)) {
      const prompt = await this.passwords.promptFor(visit, () =>
        this.confirmationOf(visit, action),
      );
      if (prompt !== null) return prompt;
    }
    const { id } = await this.own(visit);
    await orNotFound(this.actions[action](id, byOf(visit)));
    return redirectTo(`${UPSTREAM_PATH}?done=${action}`);
  }

  private async showAddress(visit: SignedInVisit): Promise<PageAnswer> {
    const prompt = await this.passwords.promptFor(visit, () =>
      this.confirmationOf(visit, 'address'),
    );
    if (prompt !== null) return prompt;
    try {
      const path = await this.upstreams.notifyPathOf(visit.user.id);
      if (path === null) throw noUpstream();
      const url = serviceUrlOf(this.settings.publicUrl, visit.request);
      return await this.show(visit, { address: url + path });
    } catch (error) {
      if (!(error instanceof UnusableUpstreamError)) throw error;
      return this.show(visit, { isUnreadable: true });
    }
  }

  private async remove(visit: SignedInVisit): Promise<PageAnswer> {
    const prompt = await this.passwords.promptFor(visit, () =>
      this.confirmationOf(visit, 'remove'),
    );
    if (prompt !== null) return prompt;
    const { id } = await this.own(visit);
    await orNotFound(this.changes.remove(id, byOf(visit)));
    return redirectTo(ownPath(visit.field('next'), `${UPSTREAM_PATH}?done=removed`));
  }

  private async confirmationOf(visit: SignedInVisit, action: ConfirmedAction): Promise<Confirmed> {
    const { url } = await this.own(visit);
    const [sentence, button] = CONFIRMATIONS[action](url);
    const path = `${UPSTREAM_PATH}/${action}`;
    const isDangerous = action === 'remove';
    return { action: path, sentence, button, isDangerous, back: UPSTREAM_PATH };
  }

  private async own(visit: SignedInVisit): Promise<ShownUpstream> {
    const found = await this.upstreams.ofVendor(visit.user.id);
    if (found === null) throw noUpstream();
    return found;
  }
}

function byOf({ user }: SignedInVisit) {
  return { user_id: user.id, application_id: NO_APPLICATION };
}

/** Converts the error for an upstream that was removed on another page in the meantime. */
async function orNotFound(change: Promise<unknown>): Promise<void> {
  try {
    await change;
  } catch (error) {
    throw error instanceof UnknownUpstreamError ? noUpstream() : error;
  }
}

function noUpstream(): ApiError {
  return new ApiError('not_found', 'You have no mirror.');
}
