import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** The processor's response to one call: an HTTP status, or a fault of the connection. */
export type Behaviour = number | 'reset' | 'garbage' | 'silence';

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Milliseconds since 1970. */
  readonly received: number;
}

export const PROCESSOR_SECRET = 'the secret of the processor, 32 or more';
export const PROCESSOR_PATH = '/hooks/cancel?from=tests';

/**
 * A real payment processor on a port of its own, which behaves as a test requires and records every
 * call.
 */
export class TestProcessor {
  readonly calls: Call[] = [];
  private script: Behaviour[] = [];
  private delayMs = 0;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<TestProcessor> {
    const server = createServer();
    const processor = new TestProcessor(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method = '', url: path = '', headers } = request;
        const body = Buffer.concat(chunks).toString('utf8');
        void processor
          .next({ method, path, headers, body, received: Date.now() })
          .then((behaviour) => {
            if (typeof behaviour !== 'number') {
              breakOff(request.socket, behaviour);
              return;
            }
            // If the service follows the redirect, the processor records one more call.
            response.writeHead(behaviour, { Location: '/elsewhere' });
            response.end(behaviour === 204 ? undefined : '{"canceled":false}');
          });
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return processor;
  }

  /** Settings of a service that calls this processor. */
  get environment(): Record<string, string> {
    const { port } = this.server.address() as AddressInfo;
    return {
      PAYMENT_PROCESSOR_URL: `http://127.0.0.1:${port}${PROCESSOR_PATH}`,
      PAYMENT_PROCESSOR_SECRET: PROCESSOR_SECRET,
    };
  }

  /**
   * Forgets the recorded calls and sets the behavior for the next ones.
   * @param script one behavior per call; the last one also applies to all later calls
   */
  expect(script: readonly Behaviour[], delayMs = 0): void {
    this.calls.length = 0;
    this.script = [...script];
    this.delayMs = delayMs;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async next(call: Call): Promise<Behaviour> {
    this.calls.push(call);
    const behaviour = (this.script.length > 1 ? this.script.shift() : this.script[0]) ?? 500;
    await wait(this.delayMs);
    return behaviour;
  }
}

/** Returns the signature that a call must carry, in hexadecimal digits. */
export function signatureOf(timestamp: string, body: string): string {
  return createHmac('sha256', PROCESSOR_SECRET).update(`${timestamp}.${body}`).digest('hex');
}

function breakOff(socket: Socket, how: 'reset' | 'garbage' | 'silence'): void {
  if (how === 'reset') socket.resetAndDestroy();
  if (how === 'garbage') socket.end('\0\u0001 no HTTP at all\r\n\r\n');
}
