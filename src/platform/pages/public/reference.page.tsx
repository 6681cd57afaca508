import type { Request, Response, Router } from 'express';
import { LRUCache } from 'lru-cache';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { AddressLimits } from '../../limits/limiter.js';
import {
  type ApiVersion,
  type CoreVersion,
  type ExtensionVersion,
  isCoreVersion,
  slugOf,
  titleOf,
  VERSIONS,
} from '../../../api/versions/api-versions.js';
import { documentPath, postmanPath } from '../../openapi/serve-documents.js';
import { PublicFile, publicFiles } from '../../../api/edge/public-file.js';
import { pageSecurityHeaders } from '../../../api/edge/security-headers.js';
import { endOfMonth, monthOf, monthsAfter, todayInUtc } from '../../values/time.js';
import { Tabs } from '../ui/facts.view.js';
import { Document } from '../frame/layout.view.js';
import { COMPONENTS_PATH, componentsDocument } from './components.page.js';
import { guideMarkdown, llmsText, markdownPath, referenceMarkdown } from './markdown.js';
import { PUBLIC_HEADERS, PublicPage, type Visitors } from './public-page.js';
import { EXAMPLE_ADDRESS, guideText, LanguageChoice, snippetsOf, TOPICS } from './snippets.view.js';

/** The style sheet of swagger-ui contains images. */
const IMAGES = ['data:'] as const;

/**
 * Serves the API reference at `/docs` and at paths such as `/docs/v3.0` and `/docs/ledger-1`, and
 * the guide at `/docs/guide`. They need no key.
 * @param extensions versions of extensions, whose references come after those of the service
 */
export function referenceRouter(
  limits: AddressLimits,
  visitors: Visitors,
  extensions: readonly ExtensionVersion[],
): Router {
  const versions = [...VERSIONS, ...extensions];
  const pageOf = (version: ApiVersion) =>
    new PublicPage('/docs', (header) => referenceDocument(version, versions, header), visitors);
  const [newest] = VERSIONS;
  const pages = new Map(versions.map((version) => [`/${slugOf(version)}`, pageOf(version)]));
  if (newest !== undefined) pages.set('/', pageOf(newest));
  const all = new Map<string, Pick<PublicFile, 'send'>>([
    ...pages,
    ...guideFiles(visitors.settings.basePath),
    ['/guide', new GuidePage(visitors)],
  ]);
  if (visitors.settings.environment !== 'production') {
    const components = new PublicPage(COMPONENTS_PATH, componentsDocument, visitors);
    all.set('/components', components);
  }
  return publicFiles(limits, all, pageSecurityHeaders(IMAGES));
}

/** Serves `/llms.txt`, which lists the texts for language models. */
export function llmsRouter(limits: AddressLimits, basePath: string): Router {
  const file = new PublicFile(llmsText(basePath), 'text/plain', PUBLIC_HEADERS);
  return publicFiles(limits, new Map([['/', file]]));
}

const STYLES = ['swagger-ui.css', 'reference.css'] as const;
const SCRIPTS = ['swagger-ui-bundle.js', 'reference.js'] as const;

function referenceDocument(
  version: ApiVersion,
  versions: readonly ApiVersion[],
  header: VNode,
): VNode {
  const document = documentPath(version);
  const name = titleOf(version).toLowerCase();
  return (
    <Document title={`API reference, ${name}`} styles={STYLES} scripts={SCRIPTS}>
      {header}
      <main id="content">
        <h1>API reference</h1>
        <Tabs
          label="Versions"
          tabs={versions.map((each) => [each, titleOf(each)])}
          current={version}
          to={(each) => `/docs/${slugOf(each)}`}
        />
        <p>
          Every operation with its parameters, responses and errors. For tools:{' '}
          <a href={document}>the OpenAPI document</a>
          {isCoreVersion(version) && (
            <>
              {' '}
              and <a href={postmanPath(version)}>the Postman collection</a>
            </>
          )}{' '}
          of {name}. New here? Start with <a href="/docs/guide">the guide</a>.
        </p>
        <KeyForm />
        <h2>Operations of {name}</h2>
        <noscript>
          <p>This section needs JavaScript. The OpenAPI document has the same content.</p>
        </noscript>
        <div id="reference" data-document={document} />
      </main>
    </Document>
  );
}

function KeyForm() {
  return (
    <form id="key-form" class="card">
      <label for="key">API key</label>
      <div class="copy">
        <input
          id="key"
          name="key"
          type="password"
          autocomplete="off"
          required
          aria-describedby="key-status"
        />
        <button>Use this key</button>
      </div>
      <p id="key-status" class="hint" role="status">
        With a key you can try each operation here, on your own data. The key is not stored.
      </p>
    </form>
  );
}

/** Maximum number of addresses for which the guide is kept. */
const MAX_ADDRESSES = 20;
/** Matches the value of a Host header, without any character that needs escaping in a shell. */
const HOST = /^[\w.:[\]-]{1,255}$/;

/**
 * Serves the guide with the address of this service and the days of last month, so that its calls
 * work when copied, and return something.
 */
class GuidePage {
  private readonly pages = new LRUCache<string, PublicPage>({ max: MAX_ADDRESSES });

  constructor(private readonly visitors: Visitors) {}

  send(request: Request, response: Response): Promise<void> {
    const address = this.visitors.settings.publicUrl ?? addressOf(request);
    const month = monthsAfter(monthOf(todayInUtc()), -1);
    const key = `${month} ${address}`;
    const documentWith = (header: VNode) => guideDocument(header, address, month);
    const page = this.pages.get(key) ?? new PublicPage('/docs/guide', documentWith, this.visitors);
    this.pages.set(key, page);
    return page.send(request, response);
  }
}

/** Returns the address at which the browser reached the service. */
function addressOf(request: Request): string {
  const host = request.get('Host') ?? '';
  return HOST.test(host) ? `${request.protocol}://${host}` : EXAMPLE_ADDRESS;
}

/** Returns the snippet files of the guide, and guide and reference as Markdown, by path below /docs. */
function guideFiles(basePath: string): Map<string, PublicFile> {
  const snippets = TOPICS.flatMap(snippetsOf).map(
    ({ file, code }) =>
      [`/guide/${file}`, new PublicFile(code, 'text/plain', PUBLIC_HEADERS)] as const,
  );
  const markdown = (text: string) => new PublicFile(text, 'text/markdown', PUBLIC_HEADERS);
  return new Map([
    ['/guide.md', markdown(guideMarkdown(basePath))],
    ...VERSIONS.map((version) => {
      const path = markdownPath(version).slice('/docs'.length);
      return [path, markdown(referenceMarkdown(version))] as const;
    }),
    ...snippets,
  ]);
}

function guideDocument(header: VNode, address: string, month: string): VNode {
  const text = inMonth(guideText(), month);
  const html = [renderToString(<Opening text={text} />), text, renderToString(<Further />)].join(
    '',
  );
  return (
    <Document title="Guide" styles={['guide.css']}>
      {header}
      {/* The text comes from a file of this project. */}
      <main
        id="content"
        class="guide"
        dangerouslySetInnerHTML={{ __html: html.replaceAll(EXAMPLE_ADDRESS, () => address) }}
      />
    </Document>
  );
}

const NAME_OF_MONTH = new Intl.DateTimeFormat('en', {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

/** Replaces the month in the text and the snippets of the guide, June 2025. */
function inMonth(text: string, month: string): string {
  return text
    .replaceAll('2025-06-01', month)
    .replaceAll('2025-06-30', endOfMonth(month))
    .replaceAll('June 2025', NAME_OF_MONTH.format(new Date(month)));
}

/** Shows the title of the guide, and links to the headings in its text. */
function Opening({ text }: { readonly text: string }) {
  return (
    <>
      <h1>Guide</h1>
      <p class="lead">
        From the first call to a program that keeps up with your sales. Save and run every snippet
        as a file.
      </p>
      <nav class="parts no-print" aria-label="Parts of the guide">
        <ol>
          {Array.from(text.matchAll(/<h2 id="([\w-]+)">([^<]+)/g), ([, id, title]) => (
            <li>
              <a href={`#${id}`}>{title}</a>
            </li>
          ))}
        </ol>
      </nav>
      <LanguageChoice />
    </>
  );
}

function Further() {
  return (
    <>
      <h2 id="further">Further reading</h2>
      <ul>
        <li>
          <a href="/docs">The API reference</a> documents every operation. Try them with your own
          key.
        </li>
        <li>
          OpenAPI documents for client generators (<a href="/openapi">list as JSON</a>):{' '}
          {links(documentPath)}.
        </li>
        <li>
          Postman collections: {links(postmanPath)}. Import one, and set its variables{' '}
          <code>baseUrl</code> and <code>apiKey</code>.
        </li>
      </ul>
    </>
  );
}

function links(pathOf: (version: CoreVersion) => string) {
  return VERSIONS.map((version, at) => (
    <>
      {at > 0 && ', '}
      <a href={pathOf(version)}>{pathOf(version).replace(/^.*\//, '')}</a>
    </>
  ));
}
