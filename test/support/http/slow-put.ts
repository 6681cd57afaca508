import { request, type ClientRequest } from 'node:http';
import { once } from 'node:events';
import { basic, type Answer } from './http.js';

/** A PUT or POST whose body the test completes later. */
export class SlowPut {
  readonly answer: Promise<Answer>;

  private constructor(
    private readonly sent: ClientRequest,
    private readonly rest: string,
  ) {
    this.answer = new Promise((resolve, reject) => {
      sent.on('error', reject);
      sent.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const { statusCode = 0, headers } = response;
          const bytes = Buffer.concat(chunks);
          resolve({ status: statusCode, headers, text: bytes.toString(), body: bytes });
        });
      });
    });
    // The request may fail before a test waits for it.
    this.answer.catch(() => undefined);
  }

  /**
   * Sends half of the body. When this resolves, the service has received the head of the request.
   */
  static async begin(
    port: number,
    path: string,
    key: string,
    body: object,
    method: 'PUT' | 'POST' = 'PUT',
  ): Promise<SlowPut> {
    const text = JSON.stringify(body);
    const sent = request({
      host: '127.0.0.1',
      port,
      path,
      method,
      agent: false,
      headers: {
        ...basic(key),
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(text),
        Expect: '100-continue',
        Connection: 'keep-alive',
      },
    });
    const half = text.length / 2;
    const put = new SlowPut(sent, text.slice(half));
    sent.flushHeaders();
    await once(sent, 'continue');
    sent.write(text.slice(0, half));
    return put;
  }

  finish(): Promise<Answer> {
    this.sent.end(this.rest);
    return this.answer;
  }
}
