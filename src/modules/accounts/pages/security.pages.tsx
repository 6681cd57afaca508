import { Injectable } from '@nestjs/common';
import { readableEmail } from '../../../platform/values/email.js';
import { DAY_MS, dateTimeOf } from '../../../platform/values/time.js';
import { ApiApplicationsService } from '../applications/api-applications.service.js';
import { PasswordRefusedError } from '../passwords/password.model.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { SignInService } from '../sessions/sign-in.service.js';
import { SignInNetworksService } from '../sessions/sign-in-networks.service.js';
import { TwoFactorService } from '../sessions/two-factor.service.js';
import { UpstreamsService } from '../../mirror/index.js';
import { WebhooksService } from '../../webhooks/index.js';
import { pageOf, redirectTo, type PageAnswer } from '../../../platform/pages/page-answer.js';
import type { PageRoutes, Pages } from '../../../platform/pages/page-router.js';
import * as paths from '../../../platform/pages/paths.js';
import { PasswordPrompt } from './password-prompt.js';
import { BrowserSessions, noticeReaderOf, type ListedSession } from './browser-sessions.js';
import type { SignedInVisit } from '../../../platform/pages/visit.js';
import { CurrentPassword, NewPassword } from './secret-fields.view.js';
import { Badge, Setting } from '../../../platform/pages/ui/facts.view.js';
import { Form, FormButton, FormProblem } from '../../../platform/pages/ui/form.view.js';
import { Table, times, type Column } from '../../../platform/pages/ui/table.view.js';
import { DateTime } from '../../../platform/pages/ui/values.view.js';
import { TwoFactorSetting } from './two-factor.pages.js';

/** Path to which the next sign-in leads after all browsers were signed out. */
const AFTERWARDS = `${paths.SECURITY_PATH}?done=everywhere`;
/** Page to return to after a key, an endpoint or a mirror was revoked or removed. */
const ENDED = `${paths.SECURITY_PATH}?done=ended`;
/** Number of other browsers that the page shows at once. */
const LATEST = 3;
/** Messages about the last action, by the word in the address. */
const DONE: ReadonlyMap<string, string> = new Map([
  ['password', 'Your password was changed. All other browsers are signed out.'],
  ['two-factor-off', 'Two-factor sign-in is off.'],
  ['session', 'That browser is signed out.'],
  ['sessions', 'All other browsers are signed out.'],
  ['everywhere', 'You were signed out everywhere.'],
  ['ended', 'It was ended, and no longer works.'],
]);

/** A key, an endpoint or a mirror, which continues to work after its creator was signed out. */
interface RecentThing {
  readonly kind: 'API key' | 'Webhook endpoint' | 'Import';
  readonly name: string;
  /** Path of its page. */
  readonly path: string;
  /** In UTC. */
  readonly made: string;
}

@Injectable()
export class SecurityPages implements Pages {
  constructor(
    private readonly browser: BrowserSessions,
    private readonly users: SignInService,
    private readonly passwords: PasswordPrompt,
    private readonly sessions: SessionsService,
    private readonly twoFactor: TwoFactorService,
    private readonly networks: SignInNetworksService,
    private readonly applications: ApiApplicationsService,
    private readonly webhooks: WebhooksService,
    private readonly upstreams: UpstreamsService,
  ) {}

  addTo(routes: PageRoutes): void {
    routes.get('/security', (visit) => this.page(visit));
    routes.post('/security/password', (visit) => this.changePassword(visit));
    routes.post('/security/sessions/end', async (visit) => {
      await this.sessions.endOneOf(visit.user.id, visit.field('session'));
      return redirectTo(`${paths.SECURITY_PATH}?done=session`);
    });
    routes.post('/security/sessions/end-others', async (visit) => {
      const password_id = await this.users.signOutEverywhere(visit.user.id);
      await this.browser.renew(visit.request, { password_id });
      return redirectTo(`${paths.SECURITY_PATH}?done=sessions`);
    });
    routes.post('/security/notices/dismiss', (visit) => this.dismissNotices(visit));
    routes.post('/security/sign-out-everywhere', async (visit) => {
      await this.users.signOutEverywhere(visit.user.id);
      await this.browser.signOut(visit.request);
      return redirectTo(paths.withQuery(paths.SIGN_IN_PATH, { next: AFTERWARDS }));
    });
  }

  private async changePassword(visit: SignedInVisit): Promise<PageAnswer> {
    const { user } = visit;
    if (!(await this.passwords.isRight(visit))) {
      return this.page(visit, [new FormProblem('password', 'The current password is wrong.')]);
    }
    try {
      const typed = visit.field('new_password');
      const { password_id } = await this.users.setPassword(user.id, typed, user.id);
      // The password alone confirms nothing for a user with two-factor sign-in.
      const isConfirmed = !(await this.twoFactor.isOn(user.id));
      await this.browser.renew(visit.request, {
        password_id,
        ...(isConfirmed && { password_given: dateTimeOf(new Date()) }),
      });
    } catch (error) {
      if (!(error instanceof PasswordRefusedError)) throw error;
      return this.page(visit, [new FormProblem('new_password', error.message)]);
    }
    return redirectTo(`${paths.SECURITY_PATH}?done=password`);
  }

  private async dismissNotices(visit: SignedInVisit): Promise<PageAnswer> {
    const reader = noticeReaderOf(visit.request);
    if (reader !== null) await this.networks.dismiss(reader, visit.field('until'));
    return redirectTo(paths.ownPath(visit.field('next'), paths.SECURITY_PATH));
  }

  private async page(visit: SignedInVisit, problems: readonly FormProblem[] = []) {
    const { id, email } = visit.user;
    const twoFactor = await this.twoFactor.stateOf(id);
    const sessions = await this.browser.listOf(visit.request, id, twoFactor.since !== null);
    const recent = await this.recentlyMade(id);
    return pageOf(
      { title: 'Security', problems, done: DONE.get(visit.query('done')) },
      <>
        <TwoFactorSetting {...twoFactor} />
        <PasswordSetting email={email} />
        <Sessions sessions={sessions} />
        <Recent things={recent} />
        <Everywhere />
      </>,
    );
  }

  /**
   * Returns keys, then endpoints, then the mirror that were created in an account within the last
   * 24 hours, on its pages, with its keys or by the operator; the newest of each kind first.
   */
  private async recentlyMade(user_id: number): Promise<RecentThing[]> {
    const since = dateTimeOf(new Date(Date.now() - DAY_MS));
    const [keys, endpoints, upstream] = await Promise.all([
      this.applications.withKeysSince(user_id, since),
      this.webhooks.list(user_id),
      this.upstreams.ofVendor(user_id),
    ]);
    const things: RecentThing[] = keys.map(({ id, name, key_created }) => ({
      kind: 'API key',
      name,
      path: `${paths.APPLICATIONS_PATH}/${id}`,
      made: key_created,
    }));
    for (const { id, url, created } of endpoints.toSorted((one, other) => other.id - one.id)) {
      const path = `${paths.WEBHOOKS_PATH}/${id}`;
      things.push({ kind: 'Webhook endpoint', name: url, path, made: created });
    }
    if (upstream !== null) {
      const { url, created } = upstream;
      things.push({ kind: 'Import', name: url, path: paths.UPSTREAM_PATH, made: created });
    }
    return things.filter(({ made }) => made > since);
  }
}

/**
 * Lists keys, endpoints and mirrors that a new password does not end; shows nothing if there are
 * none.
 */
function Recent({ things }: { readonly things: readonly RecentThing[] }) {
  if (things.length === 0) return null;
  return (
    <Setting
      id="recent-title"
      title="New keys in the last 24 hours"
      about={
        <p>
          A new password does not stop these keys and connections, and neither does signing out
          everywhere. Revoke or remove those that you do not recognize.
        </p>
      }
    >
      <Table label="New keys in the last 24 hours" isCentred columns={THINGS} rows={things} />
    </Setting>
  );
}

/** A column of buttons, whose name only screen readers present. */
const ACTION = {
  name: 'Action',
  head: <span class="unseen">Action</span>,
  isNumber: true,
  narrow: 'main',
} as const;

const THINGS: readonly Column<RecentThing>[] = [
  { name: 'Name', cell: ({ name, path }) => <a href={path}>{name}</a> },
  { name: 'Kind', cell: ({ kind }) => kind },
  times('Created', ({ made }) => made),
  { ...ACTION, cell: (thing) => <End {...thing} /> },
];

function End({ kind, name, path }: RecentThing) {
  const end = kind === 'API key' ? 'Revoke' : 'Remove';
  const label = `${end} ${name}`;
  return (
    <Form action={`${path}/${end.toLowerCase()}`} label={label} hidden={{ next: ENDED }}>
      <button class="quiet dangerous" aria-label={label}>
        {end}
      </button>
    </Form>
  );
}

/** Changes the password. */
function PasswordSetting({ email }: { readonly email: string }) {
  return (
    <Setting
      id="password-title"
      title="Password"
      about={
        <p>You sign in as {readableEmail(email)}. A new password signs out all other browsers.</p>
      }
    >
      <Form action={`${paths.SECURITY_PATH}/password`}>
        <CurrentPassword />
        <NewPassword />
        <button class="quiet">Change password</button>
      </Form>
    </Setting>
  );
}

function Everywhere() {
  return (
    <Setting
      id="everywhere-title"
      title="Sign out everywhere"
      about={<p>Signs out all browsers, including this one.</p>}
    >
      <p>When you sign in again, this page lists the keys and connections of the last 24 hours.</p>
      <FormButton
        action={`${paths.SECURITY_PATH}/sign-out-everywhere`}
        words="Sign out everywhere"
        button="danger"
      />
    </Setting>
  );
}

/** Lists the browsers in which the user is signed in: this one, and then those used last. */
function Sessions({ sessions }: { readonly sessions: readonly ListedSession[] }) {
  const own = sessions.filter(({ isThis }) => isThis);
  const others = sessions.filter(({ isThis }) => !isThis);
  const [latest, more] = [others.slice(0, LATEST), others.slice(LATEST)];
  return (
    <Setting
      id="sessions-title"
      title="Where you are signed in"
      about={<p>Sign out the browsers that you do not use or do not recognize.</p>}
    >
      <Table
        label="Where you are signed in"
        isCentred
        columns={SESSIONS}
        rows={[...own, ...latest]}
      />
      {more.length > 0 && (
        <details>
          <summary>{more.length} more</summary>
          <Table label="More browsers" isCentred columns={SESSIONS} rows={more} />
        </details>
      )}
      {others.length > 0 && (
        <FormButton
          action={`${paths.SECURITY_PATH}/sessions/end-others`}
          label="Other browsers"
          words="Sign out all other browsers"
          button="quiet"
        />
      )}
    </Setting>
  );
}

const SESSIONS: readonly Column<ListedSession>[] = [
  {
    name: 'Browser',
    cell: ({ device, address }) => (
      <>
        {deviceName(device)}
        <div class="aside line">{address ?? 'unknown address'}</div>
      </>
    ),
  },
  { ...times('Signed in', ({ created }) => created), narrow: 'none' },
  {
    name: 'Last used',
    cell: ({ last_used }) => (
      <>
        <span class="narrow-only">last used </span>
        <DateTime at={last_used} />
      </>
    ),
  },
  { ...ACTION, cell: (session) => <SignOut {...session} /> },
];

function SignOut({ session_hash, device, isThis }: ListedSession) {
  if (isThis) return <Badge style="active">this one</Badge>;
  const name = `Sign out ${deviceName(device)}`;
  return (
    <Form
      action={`${paths.SECURITY_PATH}/sessions/end`}
      label={name}
      hidden={{ session: session_hash }}
    >
      <button class="quiet" aria-label={name}>
        Sign out
      </button>
    </Form>
  );
}

function deviceName(device: string | null): string {
  return device ?? 'Unknown browser';
}
