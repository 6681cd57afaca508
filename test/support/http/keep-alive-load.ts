import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { basic } from './http.js';

/**
 * Number of requests after which a client opens another connection. If all connections stayed, a
 * new worker would get none.
 */
const REQUESTS_A_CONNECTION = 20;
const PAUSE_MS = 20;
/**
 * Pause between a response and the next request in milliseconds, because the service needs the
 * processor for other work, too.
 */
const REST_MS = 4;

/** Clients that send requests continuously, many on each connection. */
export class KeepAliveLoad {
  answers = 0;
  /** Requests without a complete response on a connection that had responded before. */
  readonly failures: string[] = [];
  /** Connections that never had a response. */
  readonly refusals: string[] = [];
  /** Processes that responded since the last call of `look`. */
  processes = new Set<number>();
  private readonly clients: Promise<void>[];
  private over = false;

  constructor(
    private readonly port: number,
    private readonly key: string,
    private readonly path: string,
    clients = 8,
  ) {
    this.clients = Array.from({ length: clients }, () => this.client());
  }

  /** Forgets the processes that have responded so far. */
  look(): void {
    this.processes = new Set();
  }

  async end(): Promise<void> {
    this.over = true;
    await Promise.all(this.clients);
  }

  private async client(): Promise<void> {
    while (!this.over) {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      for (let sent = 0; sent < REQUESTS_A_CONNECTION; sent += 1) {
        await this.ask(agent);
        await wait(REST_MS);
      }
      agent.destroy();
    }
  }

  private ask(agent: Agent): Promise<void> {
    return new Promise((resolve) => {
      const { port, path } = this;
      const options = { host: '127.0.0.1', port, path, agent, headers: basic(this.key) };
      const sent = request(options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', (error) => {
          this.failures.push(`cut off: ${error.message}`);
          resolve();
        });
        response.on('end', () => {
          this.answered(response.statusCode, Buffer.concat(chunks).toString());
          this.processes.add(Number(response.headers['x-process']));
          resolve();
        });
      });
      sent.on('error', ({ message }) => {
        (sent.reusedSocket ? this.failures : this.refusals).push(message);
        // A rejected client waits briefly before its next request.
        setTimeout(resolve, PAUSE_MS);
      });
      sent.end();
    });
  }

  private answered(status: number | undefined, text: string): void {
    if (status === 200 && text.endsWith('}')) this.answers += 1;
    else this.failures.push(`${String(status)}: ${text}`);
  }
}
