import type { Request, Response } from 'express';
import { serviceUrlOf } from '../common/service-url.js';
import { PublicFile } from '../server/middleware/public-file.js';

/** The `baseUrl` of the built collections, which is the address of `npm start`. */
const BUILT_URL = JSON.stringify('http://127.0.0.1:3000');

/** Serves a Postman collection whose `baseUrl` is the address that the client used. */
export class PostmanFile {
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
