import { slugOf, titleOf, VERSIONS, type ApiVersion } from '../../common/api-versions.js';
import { documentPath, postmanPath } from '../../openapi/serve-documents.js';
import { Document, renderDocument, SiteHead } from '../ui/layout.view.js';

const STYLES = ['swagger-ui.css', 'reference.css'] as const;
const SCRIPTS = ['swagger-ui-bundle.js', 'reference.js'] as const;

export function renderReference(version: ApiVersion, basePath: string): string {
  const document = documentPath(version);
  const name = titleOf(version).toLowerCase();
  return renderDocument(
    <Document title={`API reference, ${name}`} styles={STYLES} scripts={SCRIPTS}>
      <SiteHead current="/docs" />
      <main id="content">
        <h1>API reference</h1>
        <nav class="tabs" aria-label="Versions">
          {VERSIONS.map((each) => (
            <a href={`/docs/${slugOf(each)}`} aria-current={each === version ? 'page' : undefined}>
              {titleOf(each)}
            </a>
          ))}
        </nav>
        <p>
          Every operation with its parameters, responses and errors. For tools:{' '}
          <a href={document}>the OpenAPI document</a> and{' '}
          <a href={postmanPath(version)}>the Postman collection</a> of {name}. New here? Start with{' '}
          <a href="/docs/guide">the guide</a>.
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
