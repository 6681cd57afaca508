import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { assetPath, type Asset } from './assets.js';
import { CurrentVisit, FormButton, Problems } from '../ui/form.view.js';
import { Header } from './header.view.js';
import { isolateTexts } from '../ui/isolated-text.js';
import { Contact } from './operator.view.js';
import { Currency, DateTime } from '../ui/values.view.js';
import type { Navigation } from '../navigation.js';
import type { Page, PageSettings } from '../page-answer.js';
import { SECURITY_PATH } from '../paths.js';
import { isSignedIn, type Visit } from '../visit.js';

isolateTexts();

export function renderPage(
  visit: Visit,
  { title, view, scripts = [], problems = [] }: Page,
  { currency, operatorContact, basePath }: PageSettings,
  navigation: Navigation,
): string {
  return renderDocument(
    <CurrentVisit.Provider value={visit}>
      <Document title={title} scripts={scripts}>
        <Header visit={visit} navigation={navigation} />
        <main id="content">
          <Notices visit={visit} />
          {visit.typed !== null && (
            <p class="notice warning no-print" role="status">
              You are signed in again.{' '}
              {Object.keys(visit.typed.fields).length > 0
                ? 'What you typed is in the form, and is not saved yet.'
                : 'Nothing was saved. Send the form again.'}
            </p>
          )}
          <Currency.Provider value={currency}>
            <Contact.Provider value={operatorContact}>
              <Problems.Provider value={problems}>{view}</Problems.Provider>
            </Contact.Provider>
          </Currency.Provider>
        </main>
        <footer>
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
  return `<!doctype html>${renderPart(document, basePath)}`;
}

/** Renders a part of a document, such as its header. */
export function renderPart(part: VNode, basePath: string): string {
  const html = renderToString(part);
  return basePath === '' ? html : html.replace(PATHS, ` $1="${basePath}/`);
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
        <link
          rel="preload"
          href={assetPath('inter-latin.woff2')}
          as="font"
          type="font/woff2"
          crossorigin="anonymous"
        />
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

/**
 * Shows sign-ins from networks that are new for the user, on every page until they are dismissed.
 */
function Notices({ visit: { notices, request } }: { readonly visit: Visit }) {
  const [newest] = notices;
  if (newest === undefined) return null;
  return (
    <section class="notice warning no-print" aria-label="New sign-ins">
      {notices.map(({ address, device, noticed }) => (
        <p>
          New sign-in from <strong>{address}</strong> on <DateTime at={noticed} />, with{' '}
          {device.replace(/^Unknown/, 'an unknown')}.
        </p>
      ))}
      <p>
        Was it not you? <a href={SECURITY_PATH}>Change your password</a>, which signs out all other
        browsers.
      </p>
      <FormButton
        action={`${SECURITY_PATH}/notices/dismiss`}
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
