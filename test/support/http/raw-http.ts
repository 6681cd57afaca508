import { connect } from 'node:net';
import type { Answer } from './http.js';

/** Time limit for a connection. It exceeds the time that any response takes. */
const PATIENCE_MS = 10_000;

/**
 * Sends bytes over a connection and reads every response until the service closes the connection,
 * which the request must cause.
 * @param methods methods of the requests, because responses to HEAD have no body; the default is
 * GET
 * @throws Error if the service keeps the connection open, or sends something other than responses
 */
export async function exchange(
  port: number,
  bytes: string | Buffer,
  methods: readonly string[] = [],
): Promise<Answer[]> {
  return answersIn(await bytesAfter(port, bytes), methods);
}

/** Returns the head of a request from its lines. */
export function head(...lines: readonly string[]): string {
  return [...lines, '', ''].join('\r\n');
}

function bytesAfter(port: number, bytes: string | Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.setTimeout(PATIENCE_MS, () => {
      socket.destroy(new Error('the connection was not closed'));
    });
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => {
      resolve(Buffer.concat(chunks));
    });
  });
}

function answersIn(bytes: Buffer, methods: readonly string[]): Answer[] {
  const answers: Answer[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n');
    const [statusLine = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
    if (end < 0 || Number.isNaN(status)) throw new Error(`no answer: ${rest.toString('latin1')}`);
    const headers = Object.fromEntries(
      lines.map((line) => {
        const [, name = '', value = ''] = /^([^:]+): (.*)$/.exec(line) ?? [];
        return [name.toLowerCase(), value];
      }),
    );
    const hasBody = status >= 200 && methods[answers.length] !== 'HEAD';
    // Interim responses have no body. All other responses of this service have a Content-Length.
    if (hasBody && headers['content-length'] === undefined) throw new Error('no Content-Length');
    const length = hasBody ? Number(headers['content-length']) : 0;
    const body = rest.subarray(end + 4, end + 4 + length);
    if (body.length < length) throw new Error('the body is cut off');
    answers.push({ status, headers, text: body.toString('utf8'), body });
    rest = rest.subarray(end + 4 + length);
  }
  return answers;
}
