import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { basic, type Answer, type Request } from './http.js';

/** An HTTPS client of a server on this machine. It reuses its connections. */
export class HttpsClient {
  private readonly agent: Agent;

  /** @param settings settings of the server, which name its certificate */
  constructor(
    private readonly url: string,
    settings: Readonly<Record<string, string>>,
  ) {
    const ca = readFileSync(settings.NODE_EXTRA_CA_CERTS ?? '');
    this.agent = new Agent({ keepAlive: true, ca });
  }

  get(path: string, key: string): Promise<Answer> {
    return this.send({ path, headers: basic(key) });
  }

  /** @throws Error if the response is cut off or missing */
  send({ method = 'GET', path, headers = {}, body }: Request): Promise<Answer> {
    const { port } = new URL(this.url);
    const options = { host: 'localhost', port, method, path, headers, agent: this.agent };
    return new Promise((resolve, reject) => {
      const sent = request(options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const bytes = Buffer.concat(chunks);
          const { statusCode: status = 0, headers: received } = response;
          resolve({ status, headers: received, text: bytes.toString('utf8'), body: bytes });
        });
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }

  end(): void {
    this.agent.destroy();
  }
}
