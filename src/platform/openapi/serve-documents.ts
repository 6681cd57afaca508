import { readFileSync } from 'node:fs';
import type { Router, Request, Response } from 'express';
import type { AddressLimits } from '../limits/limiter.js';
import {
  API_VERSIONS,
  isCoreVersion,
  slugOf,
  VERSIONS,
  type ApiVersion,
  type CoreVersion,
  type ExtensionVersion,
} from '../../api/versions/api-versions.js';
import { PublicFile, publicFiles } from '../../api/edge/public-file.js';
import type { Settings } from '../../config/settings.js';
import { API_TITLE } from './api-documents.js';
import { documentFile, postmanFile } from './document-files.js';
import { serviceUrlOf } from '../values/service-url.js';

/** Clients may cache a document for 5 minutes, because it changes only with the code. */
const HEADERS = { 'Cache-Control': 'public, max-age=300' };
/**
 * Shared caches must not store a collection, because its content depends on the host, which they
 * may not distinguish.
 */
const COLLECTION_HEADERS = { 'Cache-Control': 'private, max-age=300' };
const PATH = '/openapi';
/** Server of a committed document; tools resolve it against the address of the document. */
const SERVER = '{ "url": "/" }';

export function documentPath(version: ApiVersion): string {
  return `${PATH}/${slugOf(version)}.json`;
}

export function postmanPath(version: CoreVersion): string {
  return `${PATH}/${slugOf(version)}.postman_collection.json`;
}

/** The documents of the versions of extensions. */
export type ExtensionDocuments = ReadonlyMap<ExtensionVersion, object>;

/**
 * Serves the list of the documents at `/openapi`, and the documents and Postman collections at
 * paths such as `/openapi/v3.0.json`. Extensions have no Postman collections.
 */
export function documentRouter(
  limits: AddressLimits,
  { publicUrl, basePath }: Pick<Settings, 'publicUrl' | 'basePath'>,
  extensions: ExtensionDocuments,
): Router {
  const jsonFile = (text: string) => new PublicFile(text, 'application/json', HEADERS);
  const server = { url: basePath || '/' };
  const own = `{ "url": ${JSON.stringify(server.url)} }`;
  const document = (text: string) => jsonFile(text.replace(SERVER, () => own));
  const collection = (text: string) => new PostmanFile(text, publicUrl, COLLECTION_HEADERS);
  const files = VERSIONS.flatMap((version) => [
    [documentPath(version), document(readFileSync(documentFile(version), 'utf8'))] as const,
    [postmanPath(version), collection(readFileSync(postmanFile(version), 'utf8'))] as const,
  ]);
  const added = Array.from(extensions, ([version, content]) => {
    return [documentPath(version), jsonFile(jsonOf({ ...content, servers: [server] }))] as const;
  });
  const list = jsonFile(listOfDocuments(basePath, [...extensions.keys()]));
  const all = [[`${PATH}/`, list] as const, ...files, ...added];
  return publicFiles(limits, new Map(all.map(([path, file]) => [path.slice(PATH.length), file])));
}

function listOfDocuments(basePath: string, extensions: readonly ExtensionVersion[]): string {
  const listed = (version: ApiVersion) => ({
    title: `${API_TITLE} ${version}`,
    version,
    status: isCoreVersion(version) ? API_VERSIONS[version].status : 'current',
    url: basePath + documentPath(version),
  });
  const documents = VERSIONS.map((version) => ({
    ...listed(version),
    postman_collection_url: basePath + postmanPath(version),
  }));
  return jsonOf({ documents: [...documents, ...extensions.map(listed)] });
}

function jsonOf(content: object): string {
  return `${JSON.stringify(content, null, 2)}\n`;
}

/** The `baseUrl` of the built collections, which is the address of `npm start`. */
const BUILT_URL = JSON.stringify('http://127.0.0.1:3000');

/** Serves a Postman collection whose `baseUrl` is the address that the client used. */
class PostmanFile {
  /**
   * File for the latest address. Most clients use the same one, so its file is made and compressed
   * once.
   */
  private latest: { readonly url: string; readonly file: PublicFile } | null = null;

  /** @param publicUrl URL at which clients reach the service; null to use that of each request */
  constructor(
    private readonly text: string,
    private readonly publicUrl: string | null,
    private readonly headers: Readonly<Record<string, string>>,
  ) {}

  async send(request: Request, response: Response): Promise<void> {
    await this.fileFor(serviceUrlOf(this.publicUrl, request)).send(request, response);
  }

  private fileFor(url: string): PublicFile {
    if (this.latest?.url === url) return this.latest.file;
    const text = this.text.replace(BUILT_URL, () => JSON.stringify(url));
    const file = new PublicFile(text, 'application/json', this.headers);
    this.latest = { url, file };
    return file;
  }
}
