import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { maskedBody, maskedHeader } from './masks.js';

const PATIENCE_MS = 30_000;
const HEAD_END = '\r\n\r\n';
/** Added by the process that starts the service for tests, and no part of the answer. */
const OF_TEST = 'X-Process: ';
/** Headers of every answer, one behind the other; the recording has a single line for them. */
const COMMON = [
  "Content-Security-Policy: default-src 'none';frame-ancestors 'none'",
  'Strict-Transport-Security: max-age=31536000',
  'X-Content-Type-Options: nosniff',
  'Referrer-Policy: no-referrer',
].join('\n');
const TEXT = /json|text|csv/;

/** Sends bytes over a connection of their own, and reads until the service closes it. */
export function bytesAfter(port: number, bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.setTimeout(PATIENCE_MS, () => {
      socket.destroy(new Error(`not closed after ${bytes.toString('latin1').slice(0, 200)}`));
    });
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => {
      resolve(Buffer.concat(chunks));
    });
  });
}

/** Status line, headers in their order, and body, as the recording has them. */
export function recordedAnswer(answer: Buffer): string {
  const end = answer.indexOf(HEAD_END);
  if (end < 0) return `(no answer) ${answer.toString('latin1')}`;
  const head = answer.subarray(0, end).toString('latin1');
  const rest = answer.subarray(end + HEAD_END.length);
  if (head.startsWith('HTTP/1.1 1')) return `${head}\n${recordedAnswer(rest)}`;
  const content = /^transfer-encoding: chunked$/im.test(head) ? unchunked(rest) : rest;
  const text = textOf(content, head);
  const masked = maskedBody(text);
  const headText = recordedHead(head, masked !== text);
  return text === '' ? headText : `${headText}\n\n${onLines(masked)}`;
}

/** @param isMasked whether the body has masked parts, so that its length may differ */
function recordedHead(head: string, isMasked: boolean): string {
  const own = head.split('\r\n').filter((line) => !line.startsWith(OF_TEST));
  const lines = own.map(maskedHeader).join('\n').replace(COMMON, '(common headers)');
  return isMasked ? lines.replace(/^(content-length): \d+$/im, '$1: *') : lines;
}

function textOf(body: Buffer, head: string): string {
  const type = /^content-type: (.*)$/im.exec(head)?.[1] ?? '';
  if (TEXT.test(type) && !/^content-encoding:/im.test(head)) return body.toString('utf8');
  if (body.length === 0) return '';
  return `(${body.length} bytes) sha256 ${createHash('sha256').update(body).digest('hex')}`;
}

/** Each object of a list stands on a line of its own. The JSON itself has no line breaks. */
function onLines(text: string): string {
  return text.startsWith('{"meta"') ? text.replace(/([[,])\{/g, '$1\n{') : text;
}

function unchunked(body: Buffer): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  while (at < body.length) {
    const line = body.indexOf('\r\n', at);
    const size = Number.parseInt(body.subarray(at, line).toString('latin1'), 16);
    if (Number.isNaN(size)) throw new Error('no size of a chunk');
    if (size === 0) return Buffer.concat(parts);
    parts.push(body.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
  // An answer to HEAD has no chunks; a download that fails has no last one.
  return Buffer.concat(parts.length === 0 ? [] : [...parts, Buffer.from('(broken off)')]);
}
