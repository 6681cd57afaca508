import { Injectable, Logger, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import {
  Router,
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import { AddressLimits } from '../limits/limiter.js';
import { AnswerMemory, PIECES_BYTES } from '../limits/memory/answer-memory.js';
import { ApplicationLimits } from '../limits/application-limits.js';
import { ConcurrencyLimiter } from '../limits/concurrency-limiter.js';
import { sendFile } from '../../api/envelope/rendered-answer.js';
import { watchResponse } from '../../api/envelope/response-end.js';
import { ApiError } from '../../api/errors/api-error.js';
import { setFailure, CATALOGUE, type Failure } from '../../api/errors/catalogue.js';
import { ErrorAnswers } from '../../api/errors/api-error.filter.js';
import { Settings } from '../../config/settings.js';
import { callingExtension, ExtensionError } from '../errors/extension-error.js';
import { NO_APPLICATION } from '../values/author.js';
import { PersonalTables } from '../database/extensions/personal-scope.js';
import { PersonalReads, type PersonalOperation } from '../../api/access/personal-reads.js';
import { requestIdOf } from '../../api/edge/prepare-request.js';
import { rejectUnmatched } from '../../api/edge/public-file.js';
import { pageSecurityHeaders } from '../../api/edge/security-headers.js';
import { Audiences } from './audiences.js';
import { LinkLine } from './ui/facts.view.js';
import { renderPage } from './frame/layout.view.js';
import { NotFound, shownAddress } from './frame/not-found.view.js';
import { Navigation, type PagePlace } from './navigation.js';
import { OwnKeys } from './own-keys.js';
import { CODE_PATH, SET_UP_PATH, SIGN_IN_PATH } from './paths.js';
import { type Page, type PageAnswer, pageOf, redirectTo } from './page-answer.js';
import { EndedForms } from './forms/ended-forms.js';
import { problemOfForm, readForm, rejectRepeated } from './forms/sent-fields.js';
import { MAX_PAGE_LENGTH, typedFormIn } from './forms/typed-form.js';
import { isSignedIn, NOBODY, PageSessions, Visit, type SignedInVisit } from './visit.js';

const ERROR_LOG = new Logger('Pages');

type Handler<Of extends Visit = Visit> = (visit: Of) => PageAnswer | Promise<PageAnswer>;

/** Handles a visit whose form may lack a valid CSRF token. */
type FormHandler = (visit: Visit, formProblem: ApiError | null) => PageAnswer | Promise<PageAnswer>;

/** Adds the pages of one part of the account, with paths below /account. */
export interface Pages {
  /** Adds the pages when the service starts. */
  addTo(routes: PageRoutes): void;
}

/** Requirement of a page: `account` opens for every user, with the data of their own account. */
export type PagePermission = 'account';

/** Describes pages before their code is loaded. */
export interface PageDeclaration extends PagePlace {
  /** Address of the first page, such as `/account/webhooks`. */
  readonly path: string;
  /** Null for pages that also open for those who are not signed in. */
  readonly permission: PagePermission | null;
}

export interface InstalledPage extends PageDeclaration {
  /** Name of the extension that has the page, or null. All its paths are below its name. */
  readonly extension: string | null;
  readonly type: Type<Pages>;
}

/** The account pages of all features. The first one with a path serves it. */
export abstract class AccountPages {
  abstract readonly all: readonly InstalledPage[];
}

/** A status that a browser follows with GET (RFC 9110, section 15.4.4). */
const SEE_OTHER = 303;
/** Titles for users; the messages of the catalogue are for programs. */
const TITLES: Readonly<Partial<Record<Failure, string>>> = {
  forbidden: 'Request refused',
  insufficient_access: 'Request refused',
  not_found: 'Page not found',
  too_many_requests: 'Too many requests',
};
/** Visits by request, so that an error page can show the user. */
const visits = new WeakMap<Request, Visit>();

/** Declares that a page shows personal data of the user's customers. */
interface ShownOnPage {
  readonly operation: PersonalOperation;
  /** Returns the key of the one record that the page shows, unless the answer names others. */
  readonly record?: (visit: SignedInVisit) => string;
}

/**
 * Adds pages to their router. A page requires a signed-in user unless it is added by `addPublic`,
 * for which its permission must be null. The CSRF token of each form is checked before its handler
 * runs.
 */
export class PageRoutes {
  /** @internal */
  constructor(
    private readonly router: Router,
    private readonly services: PageRouter,
    private readonly permission: PagePermission | null,
    private readonly methods: Map<string, readonly string[]>,
    private readonly extension: string | null,
  ) {}

  /**
   * Adds a page.
   * @param path - path below `/account`, such as `/notes/:transaction_id`
   * @param shown - required for a page of the service that shows personal data, and for a download of
   *   it; a page of an extension is recorded by itself if it reads declared columns
   */
  get(path: string, handler: Handler<SignedInVisit>, shown?: ShownOnPage): void {
    this.addSignedIn('get', path, this.recorded(this.scoped(handler, shown), shown));
  }

  /**
   * Adds the target of a form. Its CSRF token is checked before the handler runs.
   * @param path - path below `/account`
   * @param shown - required for an answer that shows personal data
   */
  post(path: string, handler: Handler<SignedInVisit>, shown?: ShownOnPage): void {
    this.addSignedIn('post', path, this.recorded(handler, shown));
  }

  /**
   * Adds a page that also opens for users who must set up two-factor sign-in first.
   * @internal
   */
  addBeforeTwoFactor(method: 'get' | 'post', path: string, handler: Handler<SignedInVisit>): void {
    this.addSignedIn(method, path, handler, true);
  }

  /**
   * Adds a page that also opens for those who are not signed in.
   * @throws Error if the feature declares that the pages require a permission
   * @internal
   */
  addPublic(method: 'get' | 'post', path: string, handler: Handler): void {
    if (this.permission !== null) throw new Error(`${path} requires ${this.permission}`);
    this.add(method, path, (visit, formProblem) => {
      if (formProblem !== null) throw formProblem;
      return handler(visit);
    });
  }

  /** Adds a page that requires a signed-in user, who gets back a form of an ended session. */
  private addSignedIn(
    method: 'get' | 'post',
    path: string,
    handler: Handler<SignedInVisit>,
    isBeforeTwoFactor = false,
  ): void {
    const { endedForms } = this.services;
    const signedInHandler = signedIn(handler, isBeforeTwoFactor);
    this.add(method, path, (visit, formProblem) => {
      const isEnded = formProblem !== null || (method === 'post' && !isSignedIn(visit));
      const form = isEnded ? typedFormIn(visit) : null;
      if (form !== null) return endedForms.answer(visit, form);
      if (formProblem !== null) throw formProblem;
      if (isSignedIn(visit)) visit.typed = endedForms.take(visit);
      return signedInHandler(visit);
    });
  }

  private add(method: 'get' | 'post', path: string, handler: FormHandler): void {
    const { extension } = this;
    const isOwn =
      extension === null || path === `/${extension}` || path.startsWith(`/${extension}/`);
    if (!isOwn) {
      const own = `/account/${extension}`;
      throw new ExtensionError(extension, `the page /account${path} is not ${own}, or below it`);
    }
    this.router[method](path, this.answeredBy(handler));
    const added = method === 'get' ? ['GET', 'HEAD'] : ['POST'];
    this.methods.set(path, [...(this.methods.get(path) ?? []), ...added]);
  }

  /** Records the personal data that the answers of a handler show. */
  private recorded(
    handler: Handler<SignedInVisit>,
    shown: ShownOnPage | undefined,
  ): Handler<SignedInVisit> {
    if (shown === undefined) return handler;
    const { operation, record } = shown;
    return async (visit) => {
      const answer = await handler(visit);
      if (visit.request.method === 'HEAD') return answer;
      const own = record === undefined ? [] : [{ record_key: record(visit), records: 1 }];
      const { id } = visit.user;
      const read = { vendor_id: id, user_id: id, application_id: NO_APPLICATION, operation };
      for (const more of answer.reads ?? own) {
        if (more.records !== 0) this.services.personalReads.add({ ...read, ...more });
      }
      return answer;
    };
  }

  /** Records a page of an extension whose statements read personal data of customers. */
  private scoped(
    handler: Handler<SignedInVisit>,
    shown: ShownOnPage | undefined,
  ): Handler<SignedInVisit> {
    const { extension } = this;
    const { personalTables, personalReads } = this.services;
    // A page with a record, and a download, are recorded by what they declare.
    const isDeclared = shown !== undefined && shown.operation !== `${extension ?? ''}.page`;
    if (extension === null || isDeclared || personalTables.isEmpty) return handler;
    return async (visit) => {
      const scope = personalTables.scope(() => false);
      const answer = await scope.run(() => handler(visit));
      const { id } = visit.user;
      const read = { vendor_id: id, user_id: id, application_id: NO_APPLICATION };
      const isShown = scope.hasRead && visit.request.method !== 'HEAD';
      if (isShown) personalReads.add({ ...read, operation: `${extension}.page` });
      return answer;
    };
  }

  private answeredBy(handler: FormHandler): RequestHandler {
    const { sessions, applicationLimits, underWay, memory } = this.services;
    return async (request, response) => {
      const formProblem = request.method === 'POST' ? problemOfForm(sessions, request) : null;
      const visit = await visitOf(request, response, sessions);
      if (visit.user !== null) {
        await applicationLimits.takeForPage(request, visit.user.id);
        await underWay.begin(visit.user.id, response);
      }
      rejectRepeated(request.query);
      const answer = await handler(visit, formProblem);
      if (visit.user !== null && answer.kind === 'download') {
        await underWay.beginDownload(visit.user.id, response);
        await memory.forResponse(response, visit.user.id, PIECES_BYTES);
        watchResponse(response, () => sessions.isOpen(request));
      }
      await sendAnswer(visit, response, answer, this.services);
    };
  }
}

@Injectable()
export class PageRouter {
  readonly navigation: Navigation;
  private readonly errors = new ErrorAnswers(ERROR_LOG);

  constructor(
    private readonly addressLimits: AddressLimits,
    /** The limits count the requests of a page's user like those of an API key's user. */
    readonly applicationLimits: ApplicationLimits,
    readonly underWay: ConcurrencyLimiter,
    readonly memory: AnswerMemory,
    readonly sessions: PageSessions,
    readonly endedForms: EndedForms,
    readonly audiences: Audiences,
    readonly ownKeys: OwnKeys,
    readonly settings: Settings,
    readonly personalReads: PersonalReads,
    readonly personalTables: PersonalTables,
    private readonly pages: AccountPages,
    private readonly modules: ModuleRef,
  ) {
    this.navigation = new Navigation(pages.all);
  }

  /**
   * Returns the navigation of a user. The whole one is shown if the database is unavailable.
   */
  async navigationOf({ user }: Visit): Promise<Navigation> {
    if (user === null) return this.navigation;
    return this.audiences.audiencesOf(user.id).then(
      (audiences) => this.navigation.shownTo(audiences),
      () => this.navigation,
    );
  }

  router(): Router {
    const router = Router({ caseSensitive: true });
    router.use(pageSecurityHeaders());
    router.use(async (request, _response, next) => {
      await this.addressLimits.take(request);
      next();
    });
    // The session is loaded first, so that the error page of an unreadable form shows the user.
    router.use(this.sessions.middleware, readForm);
    const methods = new Map<string, readonly string[]>();
    for (const { type, permission, extension, path } of this.pages.all) {
      const routes = new PageRoutes(router, this, permission, methods, extension);
      const add = () => {
        this.modules.get(type).addTo(routes);
      };
      if (extension === null) add();
      else callingExtension(extension, `adding the page ${path}`, add);
    }
    rejectUnmatched(router, methods, 'page');
    router.use(this.errorHandler());
    return router;
  }

  private errorHandler(): ErrorRequestHandler {
    return async (thrown: unknown, request, response, _next) => {
      const error = this.errors.apiErrorOf(thrown, requestIdOf(response));
      if (response.headersSent) {
        response.destroy();
        return;
      }
      response.set(error.headers);
      const visit = await this.visitWith(error, request, response);
      await sendAnswer(visit, response, errorPage(error, visit), this);
    };
  }

  /**
   * Returns the visit for the navigation on the error page, without a database query if the
   * database may have failed.
   */
  private async visitWith(error: ApiError, request: Request, response: Response): Promise<Visit> {
    const known = visits.get(request);
    if (known !== undefined) return known;
    const stranger = new Visit(request, () => '', NOBODY);
    // The session is not loaded if the address has exceeded its rate limit.
    if (error.failure === 'internal_error' || !('session' in request)) return stranger;
    return visitOf(request, response, this.sessions).catch(() => stranger);
  }
}

async function visitOf(
  request: Request,
  response: Response,
  sessions: PageSessions,
): Promise<Visit> {
  const visitor = await sessions.visitorOf(request);
  const visit = new Visit(request, () => sessions.csrfToken(request, response), visitor);
  visits.set(request, visit);
  return visit;
}

function signedIn(handler: Handler<SignedInVisit>, isBeforeTwoFactor: boolean): Handler {
  return (visit): PageAnswer | Promise<PageAnswer> => {
    if (isSignedIn(visit)) {
      const mustSetUp = visit.step === 'set-up' && !isBeforeTwoFactor;
      return mustSetUp ? redirectTo(SET_UP_PATH) : handler(visit);
    }
    const { method, originalUrl } = visit.request;
    // The user returns to a page after signing in, but not to the target of a form.
    const next =
      method === 'POST' || originalUrl.length > MAX_PAGE_LENGTH
        ? ''
        : `?next=${encodeURIComponent(originalUrl)}`;
    return redirectTo((visit.step === 'code' ? CODE_PATH : SIGN_IN_PATH) + next);
  };
}

async function sendAnswer(
  visit: Visit,
  response: Response,
  answer: PageAnswer,
  pages: PageRouter,
): Promise<void> {
  const { settings } = pages;
  switch (answer.kind) {
    case 'redirect':
      response.redirect(SEE_OTHER, settings.basePath + answer.to);
      return;
    case 'page': {
      const { problems = [], failure = problems.length > 0 ? 'invalid_parameters' : null } = answer;
      if (failure !== null) setFailure(response, failure);
      const navigation = await pages.navigationOf(visit);
      response.type('html').send(renderPage(visit, answer, settings, navigation));
      return;
    }
    case 'download':
      await answer.withFile((file) => sendFile(visit.request, response, file));
  }
}

function errorPage({ failure, detail }: ApiError, visit: Visit): Page {
  const title = TITLES[failure] ?? CATALOGUE[failure].message;
  if (failure === 'not_found') {
    return pageOf(
      { title, failure, frame: 'narrow card' },
      <NotFound
        address={shownAddress(visit.request)}
        detail={detail}
        isSignedIn={isSignedIn(visit)}
      />,
    );
  }
  return pageOf(
    { title, failure },
    <>
      {detail !== null && <p>{detail}</p>}
      <LinkLine href={isSignedIn(visit) ? '/account' : '/'}>
        Back to the {isSignedIn(visit) ? 'account' : 'home page'}
      </LinkLine>
    </>,
  );
}
