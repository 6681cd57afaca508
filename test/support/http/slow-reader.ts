import { request, type IncomingMessage } from 'node:http';
import { basic, type Answer } from './http.js';

/** A client that has received the head of a response and reads the rest when a test requests it. */
export interface SlowReader {
  /** True once the service has sent everything. */
  readonly isEnded: () => boolean;
  readonly rest: () => Promise<Answer>;
  readonly leave: () => void;
}

export function readingSlowly(port: number, path: string, key: string): Promise<SlowReader> {
  return new Promise((resolve, reject) => {
    const headers = basic(key);
    const sent = request({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => {
      // Without a listener for data, the response waits.
      resolve({
        isEnded: () => response.complete,
        rest: () => restOf(response),
        leave: () => response.destroy(),
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}

async function restOf(response: IncomingMessage): Promise<Answer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of response) chunks.push(chunk as Uint8Array);
  const body = Buffer.concat(chunks);
  const { statusCode: status = 0, headers } = response;
  return { status, headers, text: body.toString('utf8'), body };
}
