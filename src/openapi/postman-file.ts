import type { Request, Response } from 'express';
import { PublicFile } from '../server/middleware/public-file.js';

/** The `baseUrl` of the committed collections: where `npm start` listens. */
const COMMITTED_URL = JSON.stringify('http://127.0.0.1:3000');

/** A Postman collection whose `baseUrl` is the address that serves it. */
export class PostmanFile {
  /** @param publicUrl where clients reach the service; null if each request says it */
  constructor(
    private readonly text: string,
    private readonly publicUrl: string | null,
    private readonly headers: Readonly<Record<string, string>>,
  ) {}

  async send(request: Request, response: Response): Promise<void> {
    const url = this.publicUrl ?? `${request.protocol}://${request.host}`;
    const text = this.text.replace(COMMITTED_URL, () => JSON.stringify(url));
    await new PublicFile(text, 'application/json', this.headers).send(request, response);
  }
}
