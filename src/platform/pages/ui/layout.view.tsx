import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { assetPath, type Asset } from './assets.js';
import { CurrentVisit, Form, FormButton, Problems } from './form.view.js';
import { isolateTexts } from './isolated-text.js';
import { Currency, DateTime } from './values.view.js';
import type { Page, PageSettings } from '../page-answer.js';
import * as paths from '../paths.js';
import { isSignedIn, type SignedInUser, type Visit } from '../visit.js';

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

/** Parts of the account in its navigation, in their order. */
export type Navigation = readonly { readonly path: string; readonly label: string }[];

isolateTexts();

export function renderPage(
  visit: Visit,
  { title, view, isWide = false, scripts = [], problems = [] }: Page,
  { currency, basePath }: PageSettings,
  navigation: Navigation,
): string {
  return renderDocument(
    <CurrentVisit.Provider value={visit}>
      <Document title={title} scripts={scripts}>
        <Head visit={visit} navigation={navigation} />
        <main id="content" class={isWide ? 'wide' : undefined}>
          <Notices visit={visit} />
          <Currency.Provider value={currency}>
            <Problems.Provider value={problems}>{view}</Problems.Provider>
          </Currency.Provider>
        </main>
        <footer class={isWide ? 'wide' : undefined}>
          <p>
            All days and times are UTC.
            {isSignedIn(visit) && currency === '' && ' No currency is set.'}
          </p>
        </footer>
      </Document>
    </CurrentVisit.Provider>,
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

interface DocumentProperties {
  readonly title: string;
  readonly styles?: readonly Asset[];
  readonly scripts?: readonly Asset[];
  readonly children: ComponentChildren;
}

export function Document({ title, styles = [], scripts = [], children }: DocumentProperties) {
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

function Head({ visit, navigation }: { readonly visit: Visit; readonly navigation: Navigation }) {
  return (
    <header class="site">
      <SiteName />
      {isSignedIn(visit) ? (
        <Account visit={visit} user={visit.user} navigation={navigation} />
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

interface AccountProperties {
  readonly visit: Visit;
  readonly user: SignedInUser;
  readonly navigation: Navigation;
}

function Account({ visit, user, navigation }: AccountProperties) {
  const { originalUrl } = visit.request;
  if (visit.step === 'set-up') return <SignOut user={user} />;
  return (
    <>
      <nav aria-label="Account">
        {navigation.map(({ path, label }) => (
          <a href={path} aria-current={originalUrl.startsWith(path) ? 'page' : undefined}>
            {label}
          </a>
        ))}
        <a href="/docs">Reference</a>
      </nav>
      <SearchForm text={originalUrl.startsWith(paths.SEARCH_PATH) ? visit.query('q') : ''} />
      <SignOut user={user} />
    </>
  );
}

/** The key `/` moves the focus to it (assets/page.js). */
function SearchForm({ text }: { readonly text: string }) {
  return (
    <form class="search" role="search" action={paths.SEARCH_PATH}>
      <input
        type="search"
        name="q"
        value={text}
        aria-label="Transaction id or customer’s e-mail"
        aria-keyshortcuts="/"
        placeholder="Id or e-mail ( / )"
        autocomplete="off"
      />
      <button class="quiet">Search</button>
    </form>
  );
}

function SignOut({ user }: { readonly user: SignedInUser }) {
  return (
    <Form action="/account/sign-out" class="sign-out">
      <span class="who">{user.name}</span>
      <button class="quiet">Sign out</button>
    </Form>
  );
}

/**
 * Shows sign-ins from networks that are new for the user, on every page until they are dismissed.
 */
function Notices({ visit: { notices, request } }: { readonly visit: Visit }) {
  const [newest] = notices;
  if (newest === undefined) return null;
  return (
    <section class="notice sign-ins no-print" aria-label="New sign-ins">
      {notices.map(({ address, device, noticed }) => (
        <p>
          New sign-in from <strong>{address}</strong> on <DateTime at={noticed} />, with{' '}
          {device.replace(/^Unknown/, 'an unknown')}.
        </p>
      ))}
      <p>
        Was it not you? <a href={paths.SECURITY_PATH}>Change your password</a>, which signs out all
        other browsers.
      </p>
      <FormButton
        action={`${paths.SECURITY_PATH}/notices/dismiss`}
        label="New sign-ins"
        hidden={{
          until: newest.noticed,
          next: request.method === 'GET' ? request.originalUrl : '',
        }}
        words="Dismiss"
        button="quiet"
      />
    </section>
  );
}
