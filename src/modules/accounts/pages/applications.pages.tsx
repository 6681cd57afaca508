import { Injectable } from '@nestjs/common';
import { ApiError } from '../../../api/errors/api-error.js';
import { Settings } from '../../../config/settings.js';
import {
  SourceApplicationError,
  TooManyApplicationsError,
  UnknownAccountError,
  UnreadableKeyError,
  type ListedApplication,
} from '../account.model.js';
import { ActivityService } from '../../audit/index.js';
import { applicationSubject } from '../audited-actions.js';
import { ApiApplicationsService } from '../applications/api-applications.service.js';
import { PasswordConfirmation } from '../../../platform/pages/password-confirmation.js';
import { pageOf, redirectTo, type PageAnswer } from '../../../platform/pages/page-answer.js';
import type { PageRoutes, Pages } from '../../../platform/pages/page-router.js';
import { APPLICATIONS_PATH } from '../../../platform/pages/paths.js';
import {
  addResource,
  doneMessage,
  secretFrom,
  type ListedResource,
} from '../../../platform/pages/resource.js';
import type { ShownSecret } from '../../../platform/pages/resource.view.js';
import type { SignedInVisit } from '../../../platform/pages/visit.js';
import { secondsSince } from '../../../platform/values/time.js';
import { Panel } from '../../../platform/pages/ui/facts.view.js';
import { Field, Form, FormProblem, problemsOf } from '../../../platform/pages/ui/form.view.js';
import { isolatedText } from '../../../platform/pages/ui/isolated-text.js';
import { DateTime } from '../../../platform/pages/ui/values.view.js';
import {
  AccessField,
  accessIn,
  accessOf,
  ADDRESSES,
  addressesIn,
  applicationPage,
  EXPIRY,
  expiryIn,
  mcpWritesIn,
  NAME,
  nameIn,
  overlapIn,
  StateBadge,
} from './application.view.js';

/** The page that follows the creation of an application shows its key for this time. */
const NEW_SECONDS = 60;

/** Serves the pages of the user's API applications and their keys (docs/operating/keys.md). */
@Injectable()
export class ApplicationPages implements Pages {
  private readonly resource: ListedResource = {
    actions: {
      key: {
        sentence: (name) => `The key of ${name} will be shown.`,
        button: 'Show the key',
        page: async (visit) => {
          const read = () => this.applications.showKey(visit.id, visit.user.id);
          return this.show(visit, await secretFrom(read, UnreadableKeyError));
        },
      },
      rotate: {
        sentence: (name) => `${name} will get a new key.`,
        button: 'Create a new key',
        done: 'The key was rotated. Show the new key to use it.',
        change: (visit) => this.applications.rotateKey(visit.id, overlapIn(visit), visit.user.id),
      },
      'end-overlap': {
        sentence: (name) => `The old key of ${name} will stop working.`,
        button: 'End the old key now',
        isDangerous: true,
        done: 'The old key no longer works. Only the new key does.',
        change: (visit) => this.applications.endOverlap(visit.id, visit.user.id),
      },
      rename: {
        sentence: (name) => `The name of ${name} will be changed.`,
        button: 'Change the name',
        done: 'The name was changed.',
        change: (visit) =>
          this.applications.renameApplication(visit.id, nameIn(visit), visit.user.id),
      },
      access: {
        sentence: (name) => `The access of ${name} will be changed.`,
        button: 'Change the access',
        done: 'The access was changed.',
        change: (visit) => this.applications.setAccess(visit.id, accessIn(visit), visit.user.id),
      },
      'mcp-writes': {
        sentence: (name) => `What assistants may do with the keys of ${name} will be changed.`,
        button: 'Change what assistants may do',
        done: 'What assistants may do was changed.',
        change: (visit) =>
          this.applications.setMcpWrites(visit.id, mcpWritesIn(visit), visit.user.id),
      },
      expiry: {
        sentence: (name) => `The last day of ${name} will be changed.`,
        button: 'Change the last day',
        done: 'The last day was changed.',
        change: (visit) => this.applications.setExpiry(visit.id, expiryIn(visit), visit.user.id),
      },
      addresses: {
        sentence: (name) => `The addresses that may use the keys of ${name} will be changed.`,
        button: 'Change the addresses',
        done: 'The allowed addresses were changed.',
        change: (visit) =>
          this.applications.allowAddresses(visit.id, addressesIn(visit), visit.user.id),
      },
      revoke: {
        sentence: (name) => `${name} and all its keys will be revoked permanently.`,
        button: (name) => `Revoke ${name}`,
        isDangerous: true,
        done: 'The application was revoked. Its keys no longer work.',
        change: (visit) => this.applications.revokeApplication(visit.id, visit.user.id),
      },
    },
    created: 'The application was created. Copy its key; you can show it again later.',
    pathOf: (visit) => `${APPLICATIONS_PATH}/${visit.id}`,
    nameOf: async (visit) => isolatedText((await this.applicationIn(visit)).name),
    list: (visit, problems) => this.list(visit, problems),
    create: (visit) => this.create(visit),
    show: async (visit, problems) => this.show(visit, await this.newKey(visit), problems),
    errorOf,
  };

  constructor(
    private readonly applications: ApiApplicationsService,
    private readonly activity: ActivityService,
    private readonly settings: Settings,
    private readonly passwords: PasswordConfirmation,
  ) {}

  addTo(routes: PageRoutes): void {
    addResource(routes, '/applications', this.resource, this.passwords);
  }

  private async list({ user }: SignedInVisit, problems: readonly FormProblem[]) {
    return applicationsPage(await this.applications.applicationsOf(user.id), problems);
  }

  private async create(visit: SignedInVisit): Promise<PageAnswer> {
    const { id } = visit.user;
    const fields = [nameIn, accessIn, expiryIn, addressesIn];
    const problems = problemsOf(fields.map((read) => () => read(visit)));
    if (problems.length > 0) return this.list(visit, problems);
    const [name, expires] = [nameIn(visit), expiryIn(visit)];
    const prompt = await this.passwords.promptFor(visit, () => ({
      action: APPLICATIONS_PATH,
      button: 'Create application',
      sentence: `The API application ${isolatedText(name)} will be created.`,
    }));
    if (prompt !== null) return prompt;
    const given = { access: accessIn(visit), addresses: addressesIn(visit) };
    const made = await this.applications.createApplication(id, name, expires, given, id);
    return redirectTo(`${APPLICATIONS_PATH}/${made.application.id}?done=created`);
  }

  private applicationIn(visit: SignedInVisit): Promise<ListedApplication> {
    return this.applications.applicationById(visit.id, visit.user.id);
  }

  /** Returns the key of an application that was created just now; none otherwise. */
  private async newKey(visit: SignedInVisit): Promise<ShownSecret> {
    if (visit.query('done') !== 'created') return {};
    const { created, state } = await this.applicationIn(visit);
    if (secondsSince(created) > NEW_SECONDS || state !== 'active') return {};
    // The password was entered to create it, unless this is another session.
    const action = `${APPLICATIONS_PATH}/${visit.id}/key`;
    const confirmed = { action, sentence: '', button: '' };
    if ((await this.passwords.promptFor(visit, () => confirmed)) !== null) return {};
    const read = () => this.applications.showKey(visit.id, visit.user.id);
    return secretFrom(read, UnreadableKeyError);
  }

  private async show(
    visit: SignedInVisit,
    key: ShownSecret,
    problems: readonly FormProblem[] = [],
  ): Promise<PageAnswer> {
    const application = await this.applicationIn(visit);
    const subject = applicationSubject(application.id, visit.user.id);
    return applicationPage({
      application,
      history: await this.activity.historyOf(visit.user.id, subject),
      done: doneMessage(visit, this.resource),
      problems,
      key,
      defaultLimits: this.settings.limits.key,
    });
  }
}

/**
 * Converts the errors of an application: that of another user is not found, and the user's own
 * source application cannot be changed.
 */
function errorOf(error: unknown): unknown {
  if (error instanceof UnknownAccountError) {
    return new ApiError('not_found', 'You have no such API application.');
  }
  if (error instanceof SourceApplicationError) {
    return new ApiError('insufficient_access', error.message);
  }
  if (error instanceof TooManyApplicationsError) return new FormProblem('name', error.message);
  return error;
}

function applicationsPage(
  applications: readonly ListedApplication[],
  problems: readonly FormProblem[],
) {
  return pageOf(
    { title: 'API applications', problems },
    <>
      <p>
        An API application is a program that uses this account with its own key. Create one for each
        program, so that you can revoke each one separately, and give it no more access than it
        needs.
      </p>
      {applications.length === 0 && <p class="empty">You have no applications yet.</p>}
      <ul class="cards">
        {applications.map((application) => (
          <Card {...application} />
        ))}
      </ul>
      <Panel id="make-title" title="Create an API application">
        <Form action={APPLICATIONS_PATH}>
          <Field {...NAME} initial="" hint="What it is used for, such as “Nightly bookkeeping”." />
          <AccessField initial="full" />
          <Field {...EXPIRY} initial="" />
          <Field {...ADDRESSES} initial="" />
          <button>Create application</button>
        </Form>
      </Panel>
    </>,
  );
}

function Card(application: ListedApplication) {
  const { id, name, created, expires, last_used, old_key_ends, mcp_writes } = application;
  return (
    <li class="card">
      <h2>
        <a href={`${APPLICATIONS_PATH}/${id}`}>{name}</a> <StateBadge {...application} />
      </h2>
      <p>
        {accessOf(application).name} access. Created <DateTime at={created} />,{' '}
        {last_used !== null && 'last used '}
        <DateTime at={last_used} otherwise="never used" />
        {expires !== null && ', expires '}
        {expires !== null && <DateTime at={expires} />}
        {old_key_ends !== null && ', old key works until '}
        {old_key_ends !== null && <DateTime at={old_key_ends} />}
        {mcp_writes === 1 && ', assistants may change data'}.
      </p>
    </li>
  );
}
