import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { User } from '../../modules/accounts/account.model.js';
import { assetPath, type Asset } from './assets.js';
import { Currency } from './currency.js';
import { isolateTexts } from './isolated-text.js';
import { CSRF_FIELD } from '../session/browser-sessions.js';
import type { Page, PageSettings } from '../http/page-answer.js';
import { SignInNotices } from './sign-in-notices.view.js';
import { SEARCH_PATH, SearchForm } from '../search/search-form.view.js';
import { isSignedIn, type Visit } from '../session/visit.js';

const PARTS = [
  ['/account/reports', 'Reports'],
  ['/account/affiliates', 'Affiliates'],
  ['/account/subscriptions', 'Subscriptions'],
  ['/account/tracking', 'Tracking'],
  ['/account/applications', 'API applications'],
  ['/account/webhooks', 'Webhooks'],
  ['/account/upstream', 'Mirror'],
  ['/account/data-protection', 'Data protection'],
  ['/account/security', 'Security'],
] as const;

type Links = readonly (readonly [path: string, name: string])[];
const FOR_ANYBODY = [
  ['/docs/guide', 'Guide'],
  ['/docs', 'Reference'],
  ['/account', 'Account'],
] as const satisfies Links;
const FOR_STRANGERS = [
  ['/', 'Home'],
  ['/docs/guide', 'Guide'],
  ['/docs', 'Reference'],
  ['/account/sign-in', 'Sign in'],
] as const satisfies Links;

isolateTexts();

export function renderPage(
  visit: Visit,
  { title, view, isWide = false, scripts = [] }: Page,
  { currency, basePath }: PageSettings,
): string {
  return renderDocument(
    <Document title={title} scripts={scripts}>
      <Head visit={visit} />
      <main id="content" class={isWide ? 'wide' : undefined}>
        <Notices visit={visit} />
        <Currency.Provider value={currency}>{view}</Currency.Provider>
      </main>
      <footer class={isWide ? 'wide' : undefined}>
        <p>All days and times are UTC.</p>
      </footer>
    </Document>,
    basePath,
  );
}

/** Matches only attributes, because quotation marks in text and attribute values are escaped. */
const PATHS = / (href|src|action|formaction|data-document)="\/(?!\/)/g;

/**
 * Renders a whole document. Views write each path of this service as if it were at the root of its
 * host.
 * @param basePath path of PUBLIC_URL, which every path in the document begins with; empty for the
 * root
 */
export function renderDocument(document: VNode, basePath: string): string {
  const html = renderToString(document);
  return `<!doctype html>${basePath === '' ? html : html.replace(PATHS, ` $1="${basePath}/`)}`;
}

export function Document({
  title,
  styles = [],
  scripts = [],
  children,
}: {
  readonly title: string;
  readonly styles?: readonly Asset[];
  readonly scripts?: readonly Asset[];
  readonly children: ComponentChildren;
}) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title} · Vendor Reporting API</title>
        <link rel="icon" href={assetPath('icon.svg')} type="image/svg+xml" />
        <link rel="stylesheet" href={assetPath('style.css')} />
        {styles.map((name) => (
          <link rel="stylesheet" href={assetPath(name)} />
        ))}
        <link rel="stylesheet" href={assetPath('print.css')} media="print" />
        {(['page.js', ...scripts] as const).map((name) => (
          <script src={assetPath(name)} defer />
        ))}
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to the content
        </a>
        {children}
      </body>
    </html>
  );
}

function Head({ visit }: { readonly visit: Visit }) {
  return (
    <header class="site">
      <SiteName />
      {isSignedIn(visit) ? (
        <Account visit={visit} user={visit.user} />
      ) : (
        <SiteNav links={FOR_STRANGERS} current={visit.request.originalUrl.split('?')[0]} />
      )}
    </header>
  );
}

export function SiteHead({ current }: { readonly current?: (typeof FOR_ANYBODY)[number][0] }) {
  return (
    <header class="site">
      <SiteName />
      <SiteNav links={FOR_ANYBODY} current={current} />
    </header>
  );
}

function SiteNav({
  links,
  current,
}: {
  readonly links: Links;
  readonly current: string | undefined;
}) {
  return (
    <nav aria-label="Site">
      {links.map(([path, name]) => (
        <a href={path} aria-current={path === current ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}

function SiteName() {
  return (
    <a class="brand" href="/">
      Vendor Reporting API
    </a>
  );
}

function Account({ visit, user }: { readonly visit: Visit; readonly user: User }) {
  const { originalUrl } = visit.request;
  if (visit.step === 'set-up') return <SignOut visit={visit} user={user} />;
  return (
    <>
      <nav aria-label="Account">
        {PARTS.map(([path, name]) => (
          <a href={path} aria-current={originalUrl.startsWith(path) ? 'page' : undefined}>
            {name}
          </a>
        ))}
        <a href="/docs">Reference</a>
      </nav>
      <SearchForm text={originalUrl.startsWith(SEARCH_PATH) ? visit.query('q') : ''} />
      <SignOut visit={visit} user={user} />
    </>
  );
}

function SignOut({ visit, user }: { readonly visit: Visit; readonly user: User }) {
  return (
    <Form visit={visit} action="/account/sign-out" class="sign-out">
      <span class="who">{user.name}</span>
      <button class="quiet">Sign out</button>
    </Form>
  );
}

/** Shows notices on every page until they are dismissed. */
function Notices({ visit }: { readonly visit: Visit }) {
  const { notices, request } = visit;
  const [newest] = notices;
  if (newest === undefined) return null;
  return (
    <SignInNotices notices={notices}>
      <Form visit={visit} action="/account/security/notices/dismiss" label="New sign-ins">
        <input type="hidden" name="until" value={newest.noticed} />
        <input
          type="hidden"
          name="next"
          value={request.method === 'GET' ? request.originalUrl : ''}
        />
        <button class="quiet">Dismiss</button>
      </Form>
    </SignInNotices>
  );
}

/** A POST form with its CSRF token. */
export function Form({
  visit,
  action,
  class: className,
  label,
  children,
}: {
  readonly visit: Visit;
  readonly action: string;
  readonly class?: string;
  /** Name for screen readers, if a page has several forms. */
  readonly label?: string;
  readonly children: ComponentChildren;
}) {
  return (
    <form method="post" action={action} class={className} aria-label={label}>
      <input type="hidden" name={CSRF_FIELD} value={visit.csrfToken} />
      {children}
    </form>
  );
}
