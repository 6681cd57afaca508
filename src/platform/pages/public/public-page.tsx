import { promisify } from 'node:util';
import type { Request, Response } from 'express';
import type { VNode } from 'preact';
import { PublicFile } from '../../../api/edge/public-file.js';
import { CACHE_CONTROL } from '../../../api/edge/security-headers.js';
import type { PageRouter } from '../page-router.js';
import { CurrentVisit } from '../ui/form.view.js';
import { Header, StrangersHeader } from '../frame/header.view.js';
import type { OwnApplication } from '../own-keys.js';
import { APPLICATIONS_PATH } from '../paths.js';
import { renderDocument, renderPart } from '../frame/layout.view.js';
import { isSignedIn, Visit, type SignedInVisit } from '../visit.js';

/**
 * Browsers must revalidate, because pages refer to assets by hash, and an old page would refer to
 * assets that no longer exist.
 */
export const PUBLIC_HEADERS = { 'Cache-Control': 'public, no-cache' };

/** Finds the session and the header of a visitor. */
export type Visitors = Pick<PageRouter, 'navigationOf' | 'ownKeys' | 'sessions' | 'settings'>;

/** HTML of the place where users who are signed in see their API applications. */
export const OWN_APPLICATIONS = '<div id="own-applications"></div>';
/** The place of a part that differs between requests. */
export function OwnPart() {
  return <span id="own-part" />;
}
const OWN_PART = '<span id="own-part"></span>';
/** Maximum number of applications that a public page names. */
const MAX_NAMED = 5;

/**
 * A page that opens for everybody. Its content is rendered once for strangers, and once for users
 * who are signed in, who see the header of their account above it and their API applications in it.
 */
export class PublicPage {
  private readonly header: string;
  private readonly html: string;
  /** HTML for users who are signed in; null before the first of them. */
  private ownHtml: string | null = null;
  private readonly file: PublicFile;

  /**
   * Renders the page.
   * @param path address of the page
   * @param documentWith returns the document with a header, for a stranger or a user who is signed in
   * @param headers further headers for visitors who are not signed in
   */
  constructor(
    private readonly path: string,
    private readonly documentWith: (header: VNode, isSignedIn: boolean) => VNode,
    private readonly visitors: Visitors,
    headers: Readonly<Record<string, string>> = PUBLIC_HEADERS,
  ) {
    const { basePath } = visitors.settings;
    this.header = renderPart(<StrangersHeader path={path} />, basePath);
    this.html = this.render(false);
    this.file = new PublicFile(this.html, 'text/html', headers);
  }

  private render(isSignedIn: boolean): string {
    const document = this.documentWith(<StrangersHeader path={this.path} />, isSignedIn);
    return renderDocument(document, this.visitors.settings.basePath);
  }

  /** @param part what the page has in the place of `OwnPart`; null if it has no such place */
  async send(request: Request, response: Response, part: VNode | null = null): Promise<void> {
    const visit = await this.visitOf(request, response);
    if (visit === null && part === null) {
      await this.file.send(request, response);
      return;
    }
    if (visit !== null) response.set('Cache-Control', CACHE_CONTROL);
    const html = visit === null ? this.html : await this.htmlFor(visit);
    const own = part === null ? '' : renderPart(part, this.visitors.settings.basePath);
    response.type('html').send(html.replace(OWN_PART, () => own));
  }

  private async htmlFor(visit: SignedInVisit): Promise<string> {
    const header = await this.headerOf(visit);
    this.ownHtml ??= this.render(true);
    const withHeader = this.ownHtml.replace(this.header, () => header);
    const own = withHeader.includes(OWN_APPLICATIONS) ? await this.ownOf(visit) : '';
    return withHeader.replace(OWN_APPLICATIONS, () => own);
  }

  /** Returns the HTML that names the user's applications; none if they cannot be read. */
  private async ownOf({ user }: SignedInVisit): Promise<string> {
    const { ownKeys, settings } = this.visitors;
    const all = await ownKeys.applicationsOf(user.id).catch(() => []);
    return renderPart(<OwnApplications all={all} />, settings.basePath);
  }

  private async headerOf(visit: SignedInVisit): Promise<string> {
    const { settings } = this.visitors;
    const navigation = await this.visitors.navigationOf(visit);
    const header = (
      <CurrentVisit.Provider value={visit}>
        <Header visit={visit} navigation={navigation} />
      </CurrentVisit.Provider>
    );
    return renderPart(header, settings.basePath);
  }

  /**
   * Returns the visit of a user who is signed in. A session that cannot be loaded, such as while
   * the database is unavailable, counts as none, because the page needs no user.
   */
  private async visitOf(request: Request, response: Response): Promise<SignedInVisit | null> {
    const { sessions } = this.visitors;
    if (request.headers.cookie === undefined) return null;
    try {
      for (const load of sessions.middleware) {
        await promisify((done: (error: Error | null) => void) => {
          void load(request, response, (error?: unknown) => {
            done(error instanceof Error ? error : null);
          });
        })();
      }
      const visitor = await sessions.visitorOf(request);
      const visit = new Visit(request, () => sessions.csrfToken(request, response), visitor);
      return isSignedIn(visit) ? visit : null;
    } catch {
      return null;
    }
  }
}

/** Links to the user's applications, on whose pages their keys are. */
function OwnApplications({ all }: { readonly all: readonly OwnApplication[] }) {
  if (all.length === 0) {
    return (
      <p class="hint">
        You have no key yet. <a href={APPLICATIONS_PATH}>Create an API application</a>.
      </p>
    );
  }
  return (
    <p class="hint">
      Your keys:{' '}
      {all.slice(0, MAX_NAMED).map(({ id, name }, at) => (
        <>
          {at > 0 && ', '}
          <a href={`${APPLICATIONS_PATH}/${id}`}>{name}</a>
        </>
      ))}
      {all.length > MAX_NAMED && ', '}
      {all.length > MAX_NAMED && <a href={APPLICATIONS_PATH}>all {all.length}</a>}. Open one to copy
      its key.
    </p>
  );
}
