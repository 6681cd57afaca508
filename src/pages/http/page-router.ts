import { Injectable, Logger } from '@nestjs/common';
import express, {
  Router,
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import { AddressLimits } from '../../access/limits/address-limits.js';
import { ApiError } from '../../common/errors/api-error.js';
import { ErrorAnswers } from '../../common/errors/error-answers.js';
import { OutageLog } from '../../observability/log/outage-log.js';
import { requestIdOf } from '../../common/request-id.js';
import { FORM } from '../../server/middleware/body-fields.js';
import { LIMIT_BYTES, unreadable } from '../../server/middleware/request-body.interceptor.js';
import { refuseOthers } from '../../server/middleware/refuse-others.js';
import { pageSecurityHeaders } from '../../server/middleware/security-headers.js';
import { BrowserSessions } from '../session/browser-sessions.js';
import { errorPage } from '../ui/error.view.js';
import { redirectTo, type PageAnswer } from './page-answer.js';
import { PageLimits } from './page-limits.js';
import { sendAnswer } from './send-answer.js';
import { isSignedIn, Visit, type Handler, type SignedInVisit } from '../session/visit.js';

const ERROR_LOG = new Logger('Pages');

/** The pages of one part of the account, by their paths below /account. */
export interface Pages {
  addTo(routes: PageRoutes): void;
}

/** Where an unknown visitor is sent. */
export const SIGN_IN_PATH = '/account/sign-in';
/** Proxies refuse an answer whose headers are long, and encoded it is three times as long. */
const LONGEST_NEXT = 1_000;
/** Who asks, once that is known: an error of the handler is told to the same. */
const visits = new WeakMap<Request, Visit>();

/**
 * Adds pages to their router. Each is for those who are signed in, unless it is added by
 * `addForAnybody`; each form is checked before its handler is asked.
 */
export class PageRoutes {
  private readonly methods = new Map<string, readonly string[]>();

  constructor(
    private readonly router: Router,
    private readonly sessions: BrowserSessions,
    private readonly limits: PageLimits,
  ) {}

  get(path: string, handler: Handler<SignedInVisit>): void {
    this.addForAnybody('get', path, signedIn(handler));
  }

  post(path: string, handler: Handler<SignedInVisit>): void {
    this.addForAnybody('post', path, signedIn(handler));
  }

  addForAnybody(method: 'get' | 'post', path: string, handler: Handler): void {
    this.router[method](path, this.answeredBy(handler));
    const added = method === 'get' ? ['GET', 'HEAD'] : ['POST'];
    this.methods.set(path, [...(this.methods.get(path) ?? []), ...added]);
  }

  /** Refuses what no page answers. After this, none can be added. */
  close(): void {
    refuseOthers(this.router, this.methods, 'page');
  }

  private answeredBy(handler: Handler): RequestHandler {
    return async (request, response) => {
      if (request.method === 'POST') this.sessions.checkForm(request);
      const visit = await visitOf(request, response, this.sessions);
      if (visit.user !== null) await this.limits.take(visit.user.id, request, response);
      const answer = await handler(visit);
      if (visit.user !== null && answer.kind === 'download') {
        await this.limits.takeDownload(visit.user.id, response);
      }
      await sendAnswer(visit, response, answer);
    };
  }
}

/** Makes the router of the account: the steps that each of its requests takes, in their order. */
@Injectable()
export class PageRouter {
  private readonly errors = new ErrorAnswers(ERROR_LOG, new OutageLog(ERROR_LOG));

  constructor(
    private readonly limits: AddressLimits,
    private readonly ofUsers: PageLimits,
    private readonly sessions: BrowserSessions,
  ) {}

  of(parts: readonly Pages[]): Router {
    const router = Router({ caseSensitive: true });
    router.use(pageSecurityHeaders());
    router.use(async (request, _response, next) => {
      await this.limits.take(request);
      next();
    });
    // The session first: whoever sent a form that can not be read is known, too.
    router.use(this.sessions.middleware, readForm);
    const routes = new PageRoutes(router, this.sessions, this.ofUsers);
    for (const part of parts) part.addTo(routes);
    routes.close();
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
      await sendAnswer(visit, response, errorPage(error, visit));
    };
  }

  /** For the navigation of an error's page. Nobody is asked for where the database may have failed. */
  private async visitWith(error: ApiError, request: Request, response: Response): Promise<Visit> {
    const known = visits.get(request);
    if (known !== undefined) return known;
    const stranger = new Visit(request, '', null);
    // Over a limit of the address, no session is looked up.
    if (error.failure === 'internal_error' || !('session' in request)) return stranger;
    return visitOf(request, response, this.sessions).catch(() => stranger);
  }
}

async function visitOf(
  request: Request,
  response: Response,
  sessions: BrowserSessions,
): Promise<Visit> {
  const user = await sessions.userOf(request);
  const visit = new Visit(request, sessions.csrfToken(request, response), user);
  visits.set(request, visit);
  return visit;
}

function signedIn(handler: Handler<SignedInVisit>): Handler {
  return (visit): PageAnswer | Promise<PageAnswer> => {
    if (isSignedIn(visit)) return handler(visit);
    const { method, originalUrl } = visit.request;
    // A form of somebody who was signed out meanwhile is lost; a page is come back to.
    const next =
      method === 'POST' || originalUrl.length > LONGEST_NEXT
        ? ''
        : `?next=${encodeURIComponent(originalUrl)}`;
    return redirectTo(SIGN_IN_PATH + next);
  };
}

const parseForm = express.urlencoded({ limit: LIMIT_BYTES, type: FORM, extended: false });

const readForm: RequestHandler = (request, response, next) => {
  parseForm(request, response, (error?: unknown) => {
    next(error === undefined ? undefined : unreadable(error));
  });
};
