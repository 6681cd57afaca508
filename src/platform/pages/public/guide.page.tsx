import type { Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { PublicFile } from '../../../api/edge/public-file.js';
import { VERSIONS, type CoreVersion } from '../../../api/versions/api-versions.js';
import { documentPath, postmanPath } from '../../openapi/serve-documents.js';
import { Document } from '../frame/layout.view.js';
import { inMonth, lastMonth } from './guide-month.js';
import { guideMarkdown } from './markdown.js';
import { PUBLIC_HEADERS, PublicPage, type Visitors } from './public-page.js';
import { EXAMPLE_ADDRESS, guideText, LanguageChoice, snippetsOf, TOPICS } from './snippets.view.js';

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
    const month = lastMonth();
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

/** A text of the guide as a file of its own, with the days of last month. */
class GuideFile {
  private readonly files = new LRUCache<string, PublicFile>({ max: 1 });

  constructor(
    private readonly text: string,
    private readonly type: string,
  ) {}

  send(request: Request, response: Response): Promise<void> {
    const month = lastMonth();
    const file =
      this.files.get(month) ?? new PublicFile(inMonth(this.text, month), this.type, PUBLIC_HEADERS);
    this.files.set(month, file);
    return file.send(request, response);
  }
}

/** Returns the guide, its snippets and the guide as Markdown, by path below /docs. */
export function guideFiles(visitors: Visitors): Map<string, Pick<PublicFile, 'send'>> {
  return new Map<string, Pick<PublicFile, 'send'>>([
    ['/guide', new GuidePage(visitors)],
    ['/guide.md', new GuideFile(guideMarkdown(visitors.settings.basePath), 'text/markdown')],
    ...TOPICS.flatMap(snippetsOf).map(
      ({ file, code }) => [`/guide/${file}`, new GuideFile(code, 'text/plain')] as const,
    ),
  ]);
}

function guideDocument(header: VNode, address: string, month: string): VNode {
  const text = inMonth(guideText(), month);
  const html = [renderToString(<Opening text={text} />), text, renderToString(<Further />)].join(
    '',
  );
  return (
    <Document title="Guide" styles={['guide.css', 'parts.css']} scripts={['parts.js']}>
      {header}
      {/* The text comes from a file of this project. */}
      <main
        id="content"
        class="guide with-parts"
        dangerouslySetInnerHTML={{ __html: html.replaceAll(EXAMPLE_ADDRESS, () => address) }}
      />
    </Document>
  );
}

/** Shows the title of the guide, and links to the headings in its text. */
function Opening({ text }: { readonly text: string }) {
  return (
    <>
      <div class="page-head">
        <h1>Guide</h1>
      </div>
      <p class="lead">
        From the first call to a program that keeps up with your sales. Save and run every snippet
        as a file.
      </p>
      <a class="button quiet opener" href="#parts">
        On this page
      </a>
      <nav id="parts" class="parts foldable no-print" aria-label="On this page">
        <div>
          <h2>On this page</h2>
          <ol>
            {Array.from(text.matchAll(/<h2 id="([\w-]+)">([^<]+)/g), ([, id, title]) => (
              <li>
                <a href={`#${id}`}>{title}</a>
              </li>
            ))}
          </ol>
        </div>
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
