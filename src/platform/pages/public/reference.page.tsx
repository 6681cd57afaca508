import type { Request, Response, Router } from 'express';
import { LRUCache } from 'lru-cache';
import { renderToString } from 'preact-render-to-string';
import type { Settings } from '../../../config/settings.js';
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
import { Tabs } from '../ui/facts.view.js';
import { Document, renderDocument, SiteHead } from '../ui/layout.view.js';
import { guideMarkdown, llmsText, markdownPath, referenceMarkdown } from './markdown.js';
import { EXAMPLE_ADDRESS, guideText, LanguageChoice, snippetsOf, TOPICS } from './snippets.view.js';

/**
 * Browsers must revalidate, because pages refer to assets by hash, and an old page would refer to
 * assets that no longer exist.
 */
const HEADERS = { 'Cache-Control': 'public, no-cache' };
/** The style sheet of swagger-ui contains images. */
const IMAGES = ['data:'] as const;

/** Address of this service, as far as it is set. */
type PublicAddress = Pick<Settings, 'publicUrl' | 'basePath'>;

/**
 * Serves the API reference at `/docs` and at paths such as `/docs/v3.0` and `/docs/ledger-1`, and
 * the guide at `/docs/guide`. They need no key.
 * @param extensions versions of extensions, whose references come after those of the service
 */
export function referenceRouter(
  limits: AddressLimits,
  settings: PublicAddress,
  extensions: readonly ExtensionVersion[],
): Router {
  const { basePath } = settings;
  const versions = [...VERSIONS, ...extensions];
  const pageOf = (version: ApiVersion) =>
    new PublicFile(renderReference(version, versions, basePath), 'text/html', HEADERS);
  const [newest] = VERSIONS;
  const pages = new Map(versions.map((version) => [`/${slugOf(version)}`, pageOf(version)]));
  if (newest !== undefined) pages.set('/', pageOf(newest));
  const all = new Map<string, Pick<PublicFile, 'send'>>([...pages, ...guideFiles(settings)]);
  return publicFiles(limits, all, pageSecurityHeaders(IMAGES));
}

/** Serves `/llms.txt`, which lists the texts for language models. */
export function llmsRouter(limits: AddressLimits, basePath: string): Router {
  const file = new PublicFile(llmsText(basePath), 'text/plain', HEADERS);
  return publicFiles(limits, new Map([['/', file]]));
}

const STYLES = ['swagger-ui.css', 'reference.css'] as const;
const SCRIPTS = ['swagger-ui-bundle.js', 'reference.js'] as const;

function renderReference(
  version: ApiVersion,
  versions: readonly ApiVersion[],
  basePath: string,
): string {
  const document = documentPath(version);
  const name = titleOf(version).toLowerCase();
  return renderDocument(
    <Document title={`API reference, ${name}`} styles={STYLES} scripts={SCRIPTS}>
      <SiteHead current="/docs" />
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
    </Document>,
    basePath,
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

/** Serves the guide with the address of this service, so that its calls work when copied. */
class GuideFile {
  private readonly files = new LRUCache<string, PublicFile>({ max: MAX_ADDRESSES });
  private readonly html: string;

  constructor(private readonly settings: PublicAddress) {
    this.html = renderGuide(settings.basePath);
  }

  send(request: Request, response: Response): Promise<void> {
    const address = this.settings.publicUrl ?? addressOf(request);
    const known = this.files.get(address);
    const html = () => this.html.replaceAll(EXAMPLE_ADDRESS, () => address);
    const file = known ?? new PublicFile(html(), 'text/html', HEADERS);
    this.files.set(address, file);
    return file.send(request, response);
  }
}

/** Returns the address at which the browser reached the service. */
function addressOf(request: Request): string {
  const host = request.get('Host') ?? '';
  return HOST.test(host) ? `${request.protocol}://${host}` : EXAMPLE_ADDRESS;
}

/** Returns the guide, its snippet files, and guide and reference as Markdown, by path below /docs. */
function guideFiles(settings: PublicAddress): Map<string, Pick<PublicFile, 'send'>> {
  const { basePath } = settings;
  const snippets = TOPICS.flatMap(snippetsOf).map(
    ({ file, code }) => [`/guide/${file}`, new PublicFile(code, 'text/plain', HEADERS)] as const,
  );
  const markdown = (text: string) => new PublicFile(text, 'text/markdown', HEADERS);
  return new Map<string, Pick<PublicFile, 'send'>>([
    ['/guide.md', markdown(guideMarkdown(basePath))],
    ...VERSIONS.map((version) => {
      const path = markdownPath(version).slice('/docs'.length);
      return [path, markdown(referenceMarkdown(version))] as const;
    }),
    ['/guide', new GuideFile(settings)],
    ...snippets,
  ]);
}

function renderGuide(basePath: string): string {
  const text = guideText();
  const html = [renderToString(<Opening text={text} />), text, renderToString(<Further />)].join(
    '',
  );
  return renderDocument(
    <Document title="Guide" styles={['guide.css']}>
      <SiteHead current="/docs/guide" />
      {/* The text comes from a file of this project. */}
      <main id="content" class="guide" dangerouslySetInnerHTML={{ __html: html }} />
    </Document>,
    basePath,
  );
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
      <nav aria-label="Parts of the guide">
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
