import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { User } from '../../modules/accounts/account.model.js';
import { assetPath, type Asset } from './assets.js';
import { CSRF_FIELD } from '../session/browser-sessions.js';
import type { Page } from '../http/page-answer.js';
import { isSignedIn, type Visit } from '../session/visit.js';

/** The parts of the account, as the head of each of its pages names them. */
const PARTS = [
  ['/account/reports', 'Reports'],
  ['/account/applications', 'API applications'],
  ['/account/security', 'Password & sign-out'],
] as const;

type Links = readonly (readonly [path: string, name: string])[];
/** What needs no key, and the way into the account. */
const FOR_ANYBODY = [
  ['/docs/guide', 'Guide'],
  ['/docs', 'Reference'],
  ['/account', 'Account'],
] as const satisfies Links;
/** On pages of the account: nobody is signed in, or nobody knows who. */
const FOR_STRANGERS = [
  ['/', 'Home'],
  ['/docs/guide', 'Guide'],
  ['/docs', 'Reference'],
  ['/account/sign-in', 'Sign in'],
] as const satisfies Links;

export function renderPage(
  visit: Visit,
  { title, view, isWide = false, scripts = [] }: Page,
): string {
  const document = (
    <Document title={title} scripts={scripts}>
      <Head visit={visit} />
      <main id="content" class={isWide ? 'wide' : undefined}>
        {view}
      </main>
      <footer class={isWide ? 'wide' : undefined}>
        <p>All days and times are UTC.</p>
      </footer>
    </Document>
  );
  return `<!doctype html>${renderToString(document)}`;
}

/** The frame of every page there is, of the account or not. */
export function Document({
  title,
  styles = [],
  scripts = [],
  children,
}: {
  readonly title: string;
  /** Beside those of every page. */
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
        <title>{`${title} · Vendor Reporting API`}</title>
        <link rel="icon" href={assetPath('icon.svg')} type="image/svg+xml" />
        <link rel="stylesheet" href={assetPath('style.css')} />
        {styles.map((name) => (
          <link rel="stylesheet" href={assetPath(name)} />
        ))}
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

/** The head of the pages that nobody signs in for. */
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
      <Form visit={visit} action="/account/sign-out" class="sign-out">
        <span class="who">{user.name}</span>
        <button class="quiet">Sign out</button>
      </Form>
    </>
  );
}

/** A form that is sent by POST, with the token that it must bring back. */
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
  /** For a screen reader, where there are several forms on a page. */
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
