import { renderToString } from 'preact-render-to-string';
import { VERSIONS } from '../../common/api-versions.js';
import { documentPath, postmanPath } from '../../openapi/serve-documents.js';
import { Document, SiteHead } from '../ui/layout.view.js';
import { FirstCall, Errors, Limits } from './calls.view.js';
import { Incremental, Paging, Unchanged } from './reading.view.js';
import { LanguageChoice } from './snippet.view.js';

/** The parts of the guide, in the order in which a newcomer needs them. */
const PARTS = [
  ['first-call', 'First call', FirstCall],
  ['errors', 'Errors', Errors],
  ['limits', 'Limits and waiting', Limits],
  ['paging', 'Paging', Paging],
  ['unchanged', 'Unchanged data: ETag', Unchanged],
  ['incremental', 'Reading new data', Incremental],
] as const;

export function renderGuide(): string {
  const page = (
    <Document title="Guide" styles={['guide.css']}>
      <SiteHead current="/docs/guide" />
      <main id="content" class="guide">
        <h1>Guide</h1>
        <p class="lead">
          From the first call to a program that keeps up with your sales. Every snippet is a file
          that you can save and run.
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
    </Document>
  );
  return `<!doctype html>${renderToString(page)}`;
}

function Further() {
  return (
    <>
      <h2 id="further">Further</h2>
      <ul>
        <li>
          <a href="/docs">The reference</a> has every operation with its fields. Try them with your
          own key.
        </li>
        <li>
          <a href="/openapi">The list of documents</a>, for programs. OpenAPI documents, for client
          generators: <Files pathOf={documentPath} />.
        </li>
        <li>
          Postman collections: <Files pathOf={postmanPath} />. Import one, and set its variables{' '}
          <code>baseUrl</code> and <code>apiKey</code>.
        </li>
      </ul>
    </>
  );
}

function Files({ pathOf }: { readonly pathOf: (version: (typeof VERSIONS)[number]) => string }) {
  return (
    <>
      {VERSIONS.map((version, at) => (
        <>
          {at > 0 && ', '}
          <a href={pathOf(version)}>{pathOf(version).replace(/^.*\//, '')}</a>
        </>
      ))}
    </>
  );
}
