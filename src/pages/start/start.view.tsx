import { renderToString } from 'preact-render-to-string';
import { API_VERSIONS, VERSIONS } from '../../common/api-versions.js';
import { documentPath, postmanPath } from '../../openapi/serve-documents.js';
import { Document, SiteHead } from '../ui/layout.view.js';

export function renderStart(): string {
  const document = (
    <Document title="Start">
      <SiteHead />
      <main id="content" class="start">
        <h1>Transactions and affiliates, correct to the cent</h1>
        <p class="lead">
          This service gives vendors of digital products their transactions with an exact financial
          breakdown, their affiliates, products and recurring payments: to programs over HTTP and
          JSON, to people in a browser.
        </p>
        <ul class="cards">
          <li class="card">
            <h2>
              <a href="/account">Your account</a>
            </h2>
            <p>Reports of any range, CSV, and the API applications with their keys.</p>
          </li>
          <li class="card">
            <h2>
              <a href="/docs/guide">Guide</a>
            </h2>
            <p>From a first call to reading what is new, in curl, JavaScript, Python and PHP.</p>
          </li>
          <li class="card">
            <h2>
              <a href="/docs">Reference of the interface</a>
            </h2>
            <p>Every operation with its parameters and answers, to be tried with your key.</p>
          </li>
          <li class="card">
            <h2>OpenAPI</h2>
            <ul>
              {VERSIONS.map((version) => (
                <li>
                  <a href={documentPath(version)}>Version {version}</a>,{' '}
                  {API_VERSIONS[version].status} (<a href={postmanPath(version)}>Postman</a>)
                </li>
              ))}
            </ul>
          </li>
        </ul>
      </main>
    </Document>
  );
  return `<!doctype html>${renderToString(document)}`;
}
