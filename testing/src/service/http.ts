import { request as httpRequest, Agent, type IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The bytes as they were sent, possibly compressed. */
  readonly body: Buffer;
}

/** The envelope as a client reads it. See docs/api.md#rules-for-all-versions. */
export interface EnvelopeBody {
  readonly meta: {
    readonly status: {
      readonly http_status_code: number;
      readonly code: number;
      readonly message: string;
      readonly detail: string | null;
    };
    readonly results_count: number;
    readonly api_version: string;
    readonly total_count?: number;
    readonly pagination?: {
      readonly page_size: number;
      readonly page_index: number;
      readonly has_more: boolean;
    };
  };
  readonly results: readonly Record<string, unknown>[];
}

export interface Request {
  readonly method?: string;
  /** Sent unchanged, without encoding or normalization. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Buffer;
}

const shared: Agent = new Agent({ keepAlive: true });

/** Sends one request over a connection of the agent and reads the whole response. */
export function send(port: number, request: Request, agent: Agent = shared): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', path, headers = {}, body } = request;
    const sent = httpRequest(
      { host: '127.0.0.1', port, method, path, headers, agent },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const bytes = Buffer.concat(chunks);
          const text = bytes.toString('utf8');
          const { statusCode: status = 0, headers: received } = response;
          resolve({ status, headers: received, text, body: bytes });
        });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

export function basic(user: string, password = 'x'): { Authorization: string } {
  const credentials = Buffer.from(`${user}:${password}`).toString('base64');
  return { Authorization: `Basic ${credentials}` };
}

export function envelopeOf(answer: Answer): EnvelopeBody {
  return JSON.parse(answer.text) as EnvelopeBody;
}

/**
 * Returns the text of a response that may be compressed.
 * @throws Error if the body is invalid for its content coding
 */
export function plainText({ headers, body, text }: Answer): string {
  const coding = headers['content-encoding'];
  if (coding === undefined) return text;
  return (coding === 'br' ? brotliDecompressSync(body) : gunzipSync(body)).toString('utf8');
}
