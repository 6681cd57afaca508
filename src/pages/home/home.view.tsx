import { API_VERSIONS, titleOf, VERSIONS } from '../../common/api-versions.js';
import { documentPath, postmanPath } from '../../openapi/serve-documents.js';
import { Document, renderDocument, SiteHead } from '../ui/layout.view.js';

export function renderHome(basePath: string): string {
  return renderDocument(
    <Document title="Home">
      <SiteHead />
      <main id="content" class="start">
        <h1>Transactions and affiliates, correct to the cent</h1>
        <p class="lead">
          Reports for vendors of digital products: transactions with payout splits and refunds,
          affiliates, products and recurring payments, as a JSON API and as web pages.
        </p>
        <ul class="cards">
          <li class="card">
            <h2>
              <a href="/account">Your account</a>
            </h2>
            <p>Reports for any range, CSV downloads, API applications and their keys.</p>
          </li>
          <li class="card">
            <h2>
              <a href="/docs/guide">Guide</a>
            </h2>
            <p>From the first call to reading new data, in curl, JavaScript, Python and PHP.</p>
          </li>
          <li class="card">
            <h2>
              <a href="/docs">API reference</a>
            </h2>
            <p>Every operation with its parameters and responses. Try them with your key.</p>
          </li>
          <li class="card">
            <h2>OpenAPI</h2>
            <ul>
              {VERSIONS.map((version) => (
                <li>
                  <a href={documentPath(version)}>{titleOf(version)}</a>,{' '}
                  {API_VERSIONS[version].status} (<a href={postmanPath(version)}>Postman</a>)
                </li>
              ))}
            </ul>
          </li>
        </ul>
      </main>
    </Document>,
    basePath,
  );
}
