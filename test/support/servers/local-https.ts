import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Certificates } from './certificates.js';

/**
 * The server keeps idle connections for this time, in milliseconds. No test takes as long, so that
 * only clients close them.
 */
const KEEP_ALIVE_MS = 300_000;

/** An HTTPS server on this machine, with a certificate of its own. */
export class LocalHttps {
  private constructor(
    private readonly server: Server,
    /** Settings that allow a service to call this server. */
    readonly settings: Readonly<Record<string, string>>,
    private readonly certificates: Certificates,
    private readonly host: string,
  ) {}

  /** @param host a name that resolves to 127.0.0.1 */
  static async start(
    handle: (request: IncomingMessage, response: ServerResponse) => void,
    host = 'localhost',
  ): Promise<LocalHttps> {
    const certificates = new Certificates();
    certificates.make('server', host);
    const cert = certificates.certificate('server');
    const server = createServer(
      { key: readFileSync(certificates.key('server')), cert: readFileSync(cert) },
      handle,
    );
    server.keepAliveTimeout = KEEP_ALIVE_MS;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const settings = { WEBHOOK_NETWORKS: '127.0.0.0/8,::1', NODE_EXTRA_CA_CERTS: cert };
    return new LocalHttps(server, settings, certificates, host);
  }

  /** URL of the server, without a trailing slash. */
  get url(): string {
    return `https://${this.host}:${(this.server.address() as AddressInfo).port}`;
  }

  closeConnections(): void {
    this.server.closeAllConnections();
  }

  stop(): void {
    this.closeConnections();
    this.server.close();
    this.certificates.remove();
  }
}

/** Reads the whole body of a request. */
export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}
