import type { IncomingMessage, ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { bodyOf, LocalHttps } from './local-https.js';

export interface Received {
  readonly path: string;
  readonly id: string;
  readonly signatures: number;
  readonly body: string;
  readonly sequences: readonly number[];
}

/** The response of a receiver to a delivery. By default it accepts the delivery. */
export type Behaviour = (received: Received, response: ServerResponse) => void;

/** A receiver of webhooks on this machine, which verifies the signature of each delivery. */
export class WebhookReceiver {
  /** All deliveries, including those that were not accepted. */
  readonly received: Received[] = [];
  /** Errors of signatures that did not verify. */
  readonly faults: string[] = [];
  secrets: readonly string[] = [];
  behaviour: Behaviour = (_, response) => response.writeHead(204).end();
  private server: LocalHttps | undefined;

  /** @returns settings that allow a service to call it */
  async start(): Promise<Readonly<Record<string, string>>> {
    this.server = await LocalHttps.start((request, response) => {
      void this.receive(request, response);
    });
    return this.server.settings;
  }

  get url(): string {
    return `${this.server?.url ?? ''}/hook`;
  }

  /** Sequences of all received changes, including repeated ones. */
  get sequences(): number[] {
    return this.received.flatMap(({ sequences }) => sequences);
  }

  stop(): void {
    this.server?.stop();
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = (await bodyOf(request)).toString('utf8');
    const headers = Object.fromEntries(
      ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [
        name,
        String(request.headers[name]),
      ]),
    );
    for (const secret of this.secrets) {
      try {
        new Webhook(secret).verify(body, headers);
      } catch (error) {
        this.faults.push(String(error));
      }
    }
    const { data } = JSON.parse(body) as { data: { changes?: { sequence: number }[] } };
    const received = {
      path: request.url ?? '',
      id: headers['webhook-id'] ?? '',
      signatures: (headers['webhook-signature'] ?? '').split(' ').length,
      body,
      sequences: (data.changes ?? []).map(({ sequence }) => sequence),
    };
    this.received.push(received);
    this.behaviour(received, response);
  }
}
