import { basic } from '../http/http.js';

/** The keys of the fixed ledger, by the names that requests and the recording use. */
export type KeyName =
  | 'vendor'
  | 'read'
  | 'masked'
  | 'other'
  | 'affiliate'
  | 'suspended'
  | 'newcomer'
  | 'source'
  | 'own-source'
  | 'revoked'
  | 'expired'
  | 'elsewhere'
  | 'limited';

/** Values that each run makes up: they are never written to the recording. */
export interface Secrets {
  readonly keys: ReadonlyMap<string, string>;
  /** The token in the path of the notifications of the upstream. */
  readonly token: string;
}

export interface RecordedRequest {
  readonly method: string;
  /** `{token}` stands for the token of the upstream. */
  readonly path: string;
  /** The name of a key, or null for a request without one. */
  readonly who: KeyName | null;
  /** Header lines; `{vendor}` stands for the credentials of this key. */
  readonly headers: readonly string[];
  readonly body: string | Buffer;
  /** Bytes that are sent in place of all of the above. */
  readonly bytes?: string | Buffer;
  /** Client address, so that requests share a limit; without it, each request has its own. */
  readonly address?: string;
  /** Tells apart requests that are sent more than once. */
  readonly note?: string;
}

type More = Partial<Omit<RecordedRequest, 'method' | 'path'>>;

const MAX_SHOWN = 400;
const START_SHOWN = 120;

/** A request with the key of the vendor, unless `more` says otherwise. */
export function asked(method: string, path: string, more: More = {}): RecordedRequest {
  return { method, path, who: 'vendor', headers: [], body: '', ...more };
}

export function got(path: string, who: KeyName | null = 'vendor', more: More = {}) {
  return asked('GET', path, { who, ...more });
}

/** A request with a body: an object is sent as JSON. */
export function sent(
  method: string,
  path: string,
  body: object | string | Buffer,
  more: More = {},
): RecordedRequest {
  const isText = typeof body === 'string' || Buffer.isBuffer(body);
  const headers = more.headers ?? ['Content-Type: application/json'];
  return asked(method, path, { ...more, headers, body: isText ? body : JSON.stringify(body) });
}

/** Bytes that need not be HTTP. */
export function raw(note: string, ...lines: readonly string[]): RecordedRequest {
  return { ...asked('GET', '', { who: null, note }), bytes: [...lines, '', ''].join('\r\n') };
}

/** The request as the recording names it, on one or more lines. */
export function titleOf({ method, path, who, headers, body, ...rest }: RecordedRequest): string {
  if (rest.bytes !== undefined) return `(${rest.note ?? ''}) ${shown(rest.bytes)}`;
  const note = rest.note === undefined ? '' : ` (${rest.note})`;
  const by = who === null ? 'without a key' : `as ${who}`;
  const lines = headers.map((line) => `> ${shown(line)}`);
  const content = body.length === 0 ? [] : [`> ${shown(body)}`];
  return [`${method} ${shown(path)} ${by}${note}`, ...lines, ...content].join('\n');
}

/** The bytes to send. @param index of the request, which decides its address */
export function bytesToSend(request: RecordedRequest, secrets: Secrets, index: number): Buffer {
  const filled = (text: string) => withSecrets(text, secrets);
  if (request.bytes !== undefined) {
    return typeof request.bytes === 'string'
      ? Buffer.from(filled(request.bytes), 'latin1')
      : request.bytes;
  }
  const { method, path, who, headers, address } = request;
  const body = Buffer.from(request.body);
  const lines = [
    `${method} ${filled(path)} HTTP/1.1`,
    'Host: reports.example.test',
    'Connection: close',
    `X-Forwarded-For: ${address ?? `10.0.${index >> 8}.${index & 255}`}`,
    ...(who === null ? [] : [filled(`Authorization: {${who}}`)]),
    ...headers.map(filled),
    ...(body.length === 0 ? [] : [`Content-Length: ${body.length}`]),
  ];
  return Buffer.concat([Buffer.from([...lines, '', ''].join('\r\n'), 'latin1'), body]);
}

function withSecrets(text: string, { keys, token }: Secrets): string {
  return text.replace(/\{([a-z-]+)\}/g, (whole, name: string) => {
    if (name === 'token') return token;
    const key = keys.get(name);
    return key === undefined ? whole : basic(key).Authorization;
  });
}

/** Text on one line; a long one is shortened. */
function shown(content: string | Buffer): string {
  const text = typeof content === 'string' ? content : content.toString('latin1');
  const line = JSON.stringify(text)
    .slice(1, -1)
    .replace(/\\"/g, '"')
    // Printable ASCII alone, so that an editor shows every character.
    .replace(/[^\x20-\x7e]/g, (character) => {
      return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
    });
  return line.length <= MAX_SHOWN ? line : `${line.slice(0, START_SHOWN)}… (${text.length})`;
}
