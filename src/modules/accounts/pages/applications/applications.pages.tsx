import { Injectable } from '@nestjs/common';
import { ApiError } from '../../../../api/errors/api-error.js';
import { Settings } from '../../../../config/settings.js';
import {
  SourceApplicationError,
  TooManyApplicationsError,
  UnknownAccountError,
  UnreadableKeyError,
  type ListedApplication,
} from '../../account.model.js';
import { ActivityService } from '../../../audit/index.js';
import { applicationSubject } from '../../audited-actions.js';
import {
  ApiApplicationsService,
  type ApplicationEdit,
} from '../../applications/api-applications.service.js';
import { PasswordConfirmation } from '../../../../platform/pages/password-confirmation.js';
import { pageOf, redirectTo, type PageAnswer } from '../../../../platform/pages/page-answer.js';
import type { PageRoutes, Pages } from '../../../../platform/pages/page-router.js';
import { APPLICATIONS_PATH } from '../../../../platform/pages/paths.js';
import {
  addResource,
  doneMessage,
  secretFrom,
  type ListedResource,
} from '../../../../platform/pages/resource.js';
import {
  CodeBox,
  NewButton,
  NewThing,
  showsNew,
  type ShownSecret,
} from '../../../../platform/pages/resource.view.js';
import type { SignedInVisit } from '../../../../platform/pages/visit.js';
import { firstCall } from '../../../../platform/pages/public/guide-month.js';
import { serviceUrlOf } from '../../../../platform/values/service-url.js';
import { secondsSince } from '../../../../platform/values/time.js';
import { LinkLine, Panel } from '../../../../platform/pages/ui/facts.view.js';
import { Field, Form, FormProblem, problemsOf } from '../../../../platform/pages/ui/form.view.js';
import { isolatedText } from '../../../../platform/pages/ui/isolated-text.js';
import { days, Table, type Column } from '../../../../platform/pages/ui/table.view.js';
import { DateTime } from '../../../../platform/pages/ui/values.view.js';
import {
  AccessField,
  accessIn,
  accessOf,
  ADDRESSES,
  addressesIn,
  EXPIRY,
  expiryIn,
  mcpWritesIn,
  NAME,
  nameIn,
  overlapIn,
} from './application-fields.view.js';
import { applicationPage, StateBadge, stateOf } from './application.view.js';

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
      change: {
        sentence: (name) => `${name} will be changed.`,
        button: 'Save changes',
        done: 'Your changes were saved.',
        change: (visit) => this.change(visit),
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

  private async list(visit: SignedInVisit, problems: readonly FormProblem[]) {
    const applications = await this.applications.applicationsOf(visit.user.id);
    const isNew = showsNew(visit, applications.length, problems);
    const serviceUrl = serviceUrlOf(this.settings.publicUrl, visit.request);
    return applicationsPage({ applications, problems, isNew, serviceUrl });
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

  /** Changes the fields that the form has. */
  private async change(visit: SignedInVisit): Promise<void> {
    const { expires: stored } = await this.applicationIn(visit);
    const readers = {
      name: () => ({ name: nameIn(visit) }),
      access: () => ({ access: accessIn(visit) }),
      mcp_writes: () => ({ mcp_writes: Number(mcpWritesIn(visit)) }),
      expires: () => ({ expires: expiryIn(visit, stored) }),
      addresses: () => ({ address_allow_list: addressesIn(visit)?.text ?? null }),
    };
    const read = Object.entries(readers).filter(([field]) => visit.fields.has(field));
    const edit = read.reduce<ApplicationEdit>(
      (before, [, reader]) => ({ ...before, ...reader() }),
      {},
    );
    await this.applications.edit(visit.id, edit, visit.user.id);
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
    return { ...(await secretFrom(read, UnreadableKeyError)), isMasked: true };
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
      history: await this.activity.historyOf(visit.user.id, subject, this.applications),
      done: doneMessage(visit, this.resource),
      problems,
      key,
      serviceUrl: serviceUrlOf(this.settings.publicUrl, visit.request),
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

/** Fields of a new application that are folded below the others. */
const ADVANCED: ReadonlySet<string> = new Set([EXPIRY.name, ADDRESSES.name]);

interface ShownApplications {
  readonly applications: readonly ListedApplication[];
  readonly problems: readonly FormProblem[];
  /** True if the page shows the form of a new application. */
  readonly isNew: boolean;
  /** Address of this service. */
  readonly serviceUrl: string;
}

function applicationsPage({ applications, problems, isNew, serviceUrl }: ShownApplications) {
  const showsFirstCall =
    !isNew &&
    applications.some(isWaiting) &&
    applications.every(({ last_used }) => last_used === null);
  const tools = isNew ? null : (
    <NewButton path={APPLICATIONS_PATH} verb="Create" thing="an application" />
  );
  return pageOf(
    { title: 'API applications', problems, tools },
    <>
      {!isNew && (
        <p class="subline">Each program has its own key, which it sends with every call.</p>
      )}
      {applications.length > 0 && (
        <Table label="API applications" columns={columnsFor(!showsFirstCall)} rows={applications} />
      )}
      {isNew && <NewApplication problems={problems} />}
      {showsFirstCall && <FirstCall serviceUrl={serviceUrl} />}
    </>,
  );
}

/** Returns whether the key of an application works and was never used. */
function isWaiting(application: ListedApplication): boolean {
  const { last_used, access } = application;
  return last_used === null && access !== 'source' && stateOf(application) === 'active';
}

/** Place of the key in the first call. */
const YOUR_KEY = 'YOUR_KEY';

/** Shows how to begin while no application was used. On a phone, the call wraps behind a slash. */
function FirstCall({ serviceUrl }: Pick<ShownApplications, 'serviceUrl'>) {
  const parts = firstCall(serviceUrl, YOUR_KEY).split(/(?<=\/)/);
  return (
    <Panel id="first-call-title" title="Make the first call">
      <p>
        Open an application to copy its key, and put it in place of <code>{YOUR_KEY}</code>.
      </p>
      <CodeBox id="first-call" name="the call" title="curl">
        {parts.map((part) => (
          <>
            {part}
            <wbr />
          </>
        ))}
      </CodeBox>
      <LinkLine href="/docs/guide">The guide: more calls, in four languages</LinkLine>
    </Panel>
  );
}

function NewApplication({ problems }: { readonly problems: readonly FormProblem[] }) {
  return (
    <NewThing
      title="Create an API application"
      about={
        <p>
          Give each program its own key, with no more access than it needs. You can revoke each one
          separately.
        </p>
      }
    >
      <Form action={APPLICATIONS_PATH}>
        <Field {...NAME} initial="" hint="What it is used for, such as “Nightly bookkeeping”." />
        <AccessField initial="read" />
        <details class="field" open={problems.some(({ field }) => ADVANCED.has(field))}>
          <summary>Advanced</summary>
          <Field {...EXPIRY} initial="" />
          <Field {...ADDRESSES} initial="" />
        </details>
        <button>Create application</button>
      </Form>
    </NewThing>
  );
}

/** @param leadsOn true if the last use of an unused key leads to its first call */
function columnsFor(leadsOn: boolean): readonly Column<ListedApplication>[] {
  const cell = (application: ListedApplication) => (
    <LastUse {...application} leadsOn={leadsOn && isWaiting(application)} />
  );
  return [...ABOUT, { name: 'Last use', narrow: 'bare', cell }, EXPIRES];
}

const ABOUT: readonly Column<ListedApplication>[] = [
  {
    name: 'Application',
    cell: ({ id, name, old_key_ends }) => (
      <>
        <a href={`${APPLICATIONS_PATH}/${id}`}>{name}</a>
        {old_key_ends !== null && (
          <span class="hint">
            {' '}
            old key works until <DateTime at={old_key_ends} />
          </span>
        )}
      </>
    ),
  },
  { name: 'Status', isMain: true, cell: (application) => <StateBadge {...application} /> },
  {
    name: 'Access',
    narrow: 'bare',
    cell: (application) => (
      <>
        {accessOf(application).name}
        {application.mcp_writes === 1 && <span class="hint"> · assistants may change data</span>}
      </>
    ),
  },
  { ...days('Created', ({ created }) => created), narrow: 'none' },
];

const EXPIRES: Column<ListedApplication> = {
  name: 'Expiry',
  narrow: 'bare',
  cell: ({ expires }) => (
    <>
      <span class="narrow-only">expires </span>
      <DateTime at={expires} otherwise="never" />
    </>
  ),
};

/** Says when a key was used, or leads to its first use. */
function LastUse({
  last_used,
  leadsOn,
}: Pick<ListedApplication, 'last_used'> & { readonly leadsOn: boolean }) {
  if (last_used !== null) {
    return (
      <>
        <span class="narrow-only">last used </span>
        <DateTime at={last_used} />
      </>
    );
  }
  if (leadsOn) {
    return (
      <>
        never used: <a href="/docs/guide">make the first call</a>
      </>
    );
  }
  return (
    <>
      never<span class="narrow-only"> used</span>
    </>
  );
}
