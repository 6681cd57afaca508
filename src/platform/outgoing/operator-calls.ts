import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { Socket } from 'node:net';
import { OutgoingConnections, type Destination } from './outgoing-connections.js';
import type { NameLookup } from './host-names.js';
import { headOf } from './outgoing-request.js';

interface OperatorCall {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Time limit from the lookup of the host name to the head of the answer. */
  readonly ms: number;
}

/**
 * Error for a call that failed before a connection was made, so that the server has received
 * nothing.
 */
export class NotConnectedError extends Error {}

/**
 * Calls servers that the operator names in a setting, at any address. These calls never wait for
 * calls to servers of users.
 */
export class OperatorCalls {
  private readonly connections: OutgoingConnections;

  constructor(names: NameLookup) {
    this.connections = new OutgoingConnections(names, null);
  }

  /**
   * Connects to a server, for a protocol other than HTTP.
   * @throws OutgoingError, or the error of the operating system
   */
  connect(server: Omit<Destination, 'account'>): Promise<Socket> {
    return this.connections.open({ ...server, account: 'operator' });
  }

  /**
   * Posts to a URL of the operator. Redirects are not followed.
   * @returns the status of the answer, whose body is not read
   * @throws NotConnectedError, or OutgoingError if there is no answer
   */
  async post(url: string, { headers, body, ms }: OperatorCall): Promise<number> {
    const target = new URL(url);
    const isSecure = target.protocol === 'https:';
    const sent = (isSecure ? secureRequest : plainRequest)(target, {
      method: 'POST',
      headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
      createConnection: this.connections.createFor('operator', isSecure),
    });
    try {
      const { statusCode = 0 } = await headOf(sent, body, { ms });
      return statusCode;
    } catch (error) {
      if (sent.socket !== null) throw error;
      throw new NotConnectedError('no connection', { cause: error });
    } finally {
      sent.destroy();
    }
  }
}
