import { VERSIONS, type ApiVersion } from '../../../api/versions/api-versions.js';
import { documentPath, postmanPath } from '../../openapi/serve-documents.js';
import { PublicFile } from '../../../api/edge/public-file.js';
import { Document, renderDocument, SiteHead } from '../ui/layout.view.js';
import {
  Alternatives,
  Errors,
  FirstCall,
  KeepingUp,
  Limits,
  Paging,
  Sending,
  Subscriptions,
  Unchanged,
} from './guide-text.view.js';
import { LanguageChoice, snippetsOf, TOPICS } from './snippets.view.js';

/** Returns the guide and its snippet files, by path below /docs. */
export function guideFiles(
  headers: Readonly<Record<string, string>>,
  basePath: string,
): Map<string, PublicFile> {
  const snippets = TOPICS.flatMap(snippetsOf).map(
    ({ file, code }) => [`/guide/${file}`, new PublicFile(code, 'text/plain', headers)] as const,
  );
  return new Map([
    ['/guide', new PublicFile(renderGuide(basePath), 'text/html', headers)],
    ...snippets,
  ]);
}

const PARTS = [
  ['first-call', 'First call', FirstCall],
  ['errors', 'Errors', Errors],
  ['limits', 'Limits and waiting', Limits],
  ['incremental', 'Keeping up: exports, changes, webhooks', KeepingUp],
  ['paging', 'Paging', Paging],
  ['unchanged', 'Unchanged data: ETag', Unchanged],
  ['alternatives', 'Other ways to read new data', Alternatives],
  ['subscriptions', 'Subscriptions: where a preKey comes from', Subscriptions],
  ['sending', 'Sending records', Sending],
] as const;

function renderGuide(basePath: string): string {
  return renderDocument(
    <Document title="Guide" styles={['guide.css']}>
      <SiteHead current="/docs/guide" />
      <main id="content" class="guide">
        <h1>Guide</h1>
        <p class="lead">
          From the first call to a program that keeps up with your sales. Save and run every snippet
          as a file.
        </p>
        <nav aria-label="Parts of the guide">
          <ol>
            {PARTS.map(([id, title]) => (
              <li>
                <a href={`#${id}`}>{title}</a>
              </li>
            ))}
          </ol>
        </nav>
        <LanguageChoice />
        {PARTS.map(([id, title, Part]) => (
          <>
            <h2 id={id}>{title}</h2>
            <Part />
          </>
        ))}
        <Further />
      </main>
    </Document>,
    basePath,
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

function links(pathOf: (version: ApiVersion) => string) {
  return VERSIONS.map((version, at) => (
    <>
      {at > 0 && ', '}
      <a href={pathOf(version)}>{pathOf(version).replace(/^.*\//, '')}</a>
    </>
  ));
}
