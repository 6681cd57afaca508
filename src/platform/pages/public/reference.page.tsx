import { readFileSync } from 'node:fs';
import type { Router } from 'express';
import type { VNode } from 'preact';
import type { AddressLimits } from '../../limits/limiter.js';
import {
  type ApiVersion,
  type CoreVersion,
  isCoreVersion,
  slugOf,
  titleOf,
  VERSIONS,
} from '../../../api/versions/api-versions.js';
import { documentFile } from '../../openapi/document-files.js';
import {
  documentPath,
  postmanPath,
  type ExtensionDocuments,
} from '../../openapi/serve-documents.js';
import { PublicFile, publicFiles } from '../../../api/edge/public-file.js';
import { pageSecurityHeaders } from '../../../api/edge/security-headers.js';
import { Tabs } from '../ui/facts.view.js';
import { Document } from '../frame/layout.view.js';
import { COMPONENTS_PATH, componentsDocument } from './components.page.js';
import { guideFiles } from './guide.page.js';
import { llmsText, markdownPath, referenceMarkdown } from './markdown.js';
import { OperationList, operationGroupsOf, type OperationGroups } from './operation-list.view.js';
import { OWN_APPLICATIONS, PUBLIC_HEADERS, PublicPage, type Visitors } from './public-page.js';

/** The style sheet of swagger-ui contains images. */
const IMAGES = ['data:'] as const;

/**
 * Serves the API reference at `/docs` and at paths such as `/docs/v3.0` and `/docs/ledger-1`, and
 * the guide at `/docs/guide`. They need no key.
 * @param extensions documents of extensions, whose references come after those of the service
 */
export function referenceRouter(
  limits: AddressLimits,
  visitors: Visitors,
  extensions: ExtensionDocuments,
): Router {
  const documents = new Map<ApiVersion, unknown>([
    ...VERSIONS.map(committedDocument),
    ...extensions,
  ]);
  const versions = [...documents.keys()];
  const pageOf = (version: ApiVersion) => {
    const groups = operationGroupsOf(documents.get(version));
    const documentWith = (header: VNode) => referenceDocument(version, versions, groups, header);
    return new PublicPage('/docs', documentWith, visitors);
  };
  const [newest] = VERSIONS;
  const pages = new Map(versions.map((version) => [`/${slugOf(version)}`, pageOf(version)]));
  if (newest !== undefined) pages.set('/', pageOf(newest));
  const all = new Map<string, Pick<PublicFile, 'send'>>([
    ...pages,
    ...guideFiles(visitors),
    ...markdownFiles(),
  ]);
  if (visitors.settings.environment !== 'production') {
    const components = new PublicPage(COMPONENTS_PATH, componentsDocument, visitors);
    all.set('/components', components);
  }
  return publicFiles(limits, all, pageSecurityHeaders(IMAGES));
}

function committedDocument(version: CoreVersion): [CoreVersion, unknown] {
  return [version, JSON.parse(readFileSync(documentFile(version), 'utf8'))];
}

/** Serves `/llms.txt`, which lists the texts for language models. */
export function llmsRouter(limits: AddressLimits, basePath: string): Router {
  const file = new PublicFile(llmsText(basePath), 'text/plain', PUBLIC_HEADERS);
  return publicFiles(limits, new Map([['/', file]]));
}

const STYLES = ['swagger-ui.css', 'reference.css', 'parts.css'] as const;
const SCRIPTS = ['swagger-ui-bundle.js', 'reference.js', 'parts.js'] as const;

function referenceDocument(
  version: ApiVersion,
  versions: readonly ApiVersion[],
  groups: OperationGroups,
  header: VNode,
): VNode {
  const document = documentPath(version);
  const name = titleOf(version).toLowerCase();
  return (
    <Document title={`API reference, ${name}`} styles={STYLES} scripts={SCRIPTS}>
      {header}
      <main id="content" class="reference with-parts">
        <div class="page-head">
          <h1>API reference</h1>
          <Tabs
            label="Versions"
            tabs={versions.map((each) => [each, <VersionName title={titleOf(each)} />])}
            current={version}
            to={(each) => `/docs/${slugOf(each)}`}
          />
        </div>
        <p class="openers no-print">
          <a class="button quiet opener" href="#operations">
            Operations
          </a>
          <a class="button quiet opener" href="#start">
            Key and tools
          </a>
        </p>
        <Start version={version} />
        <h2 class="unseen">Operations of {name}</h2>
        <OperationList groups={groups} />
        <noscript>
          <p>This section needs JavaScript. The OpenAPI document has the same content.</p>
        </noscript>
        <div id="reference" data-document={document} />
      </main>
    </Document>
  );
}

/** Says what the page is for, and has the form of the key; on a phone, a button opens it. */
function Start({ version }: { readonly version: ApiVersion }) {
  return (
    <div id="start" class="foldable">
      <p>
        Every operation with its parameters, responses and errors. New here? Start with{' '}
        <a href="/docs/guide">the guide</a>.
      </p>
      <p class="hint">
        For tools: <a href={documentPath(version)}>the OpenAPI document</a>
        {isCoreVersion(version) && (
          <>
            {' '}
            and <a href={postmanPath(version)}>the Postman collection</a>
          </>
        )}{' '}
        of {titleOf(version).toLowerCase()}. Ledger interface 1 has what the versions lack: exports,
        changes, webhooks, queries and figures.
      </p>
      <KeyForm />
    </div>
  );
}

/** Shows the title of a version; on a phone, only screen readers present the word *Version*. */
function VersionName({ title }: { readonly title: string }) {
  const [, number] = /^Version (.+)$/.exec(title) ?? [];
  if (number === undefined) return <>{title}</>;
  return (
    <>
      <span class="phone-unseen">Version </span>
      {number}
    </>
  );
}

function KeyForm() {
  return (
    <form id="key-form" class="key">
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
        <button class="quiet">Use this key</button>
      </div>
      <div class="key-notes">
        <p id="key-status" class="hint" role="status">
          With it you can try each operation on your own data. It is not stored.
        </p>
        {/* The page of a user who is signed in has links here. */}
        <div dangerouslySetInnerHTML={{ __html: OWN_APPLICATIONS }} />
      </div>
    </form>
  );
}

/** Returns the references as Markdown, by path below /docs. */
function markdownFiles(): [path: string, PublicFile][] {
  return VERSIONS.map((version) => {
    const text = referenceMarkdown(version);
    const path = markdownPath(version).slice('/docs'.length);
    return [path, new PublicFile(text, 'text/markdown', PUBLIC_HEADERS)];
  });
}
