import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as TlsServer } from 'node:https';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';

const LOOK_MS = 25;
/** New clients that never cease can not keep the port open. */
const REFUSE_LIMIT_MS = 100;

interface Connection {
  /** Answers that are owed on it, in the order of their requests. */
  readonly owed: ServerResponse[];
  quietSince: number;
}

/**
 * Knows which connections wait for an answer. Node's own `closeIdleConnections` leaves out those that
 * never sent a request, and hangs up at once on a client that is about to send its next.
 */
export class OpenConnections {
  private readonly open = new Map<Socket, Connection>();
  /** Connections that TLS has not begun on, by their other end. */
  private readonly raw = new Map<string, Socket>();
  private accepted = 0;
  private refusing: Promise<void> | undefined;
  private draining = false;
  private quietMs = Infinity;

  /** @param server that does not listen yet */
  constructor(private readonly server: Server) {
    server.on('connection', (socket: Socket) => {
      this.accepted += 1;
      this.add(socket);
      if (server instanceof TlsServer) this.awaitHandshake(socket);
    });
    server.on('secureConnection', (socket: Socket) => {
      this.shakenHands(socket);
      this.add(socket);
    });
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
      this.owe(request.socket, response);
    });
  }

  /** How many requests are in hand. */
  get requests(): number {
    return [...this.open.values()].reduce((sum, { owed }) => sum + owed.length, 0);
  }

  /** Accepts nothing new, once it has accepted whoever waits at the port. */
  refuse(): Promise<void> {
    return (this.refusing ??= this.closePort());
  }

  /** @param quietMs after which a client without a request is hung up on, if none shorter was told */
  hurry(quietMs: number): void {
    this.quietMs = Math.min(this.quietMs, quietMs);
  }

  /** Accepts nothing new, answers what is in hand, and hangs up on who is quiet. */
  async drain(): Promise<void> {
    await this.refuse();
    this.draining = true;
    for (const { owed } of this.open.values()) announceClose(owed);
    await new Promise<void>((resolve) => {
      const look = setInterval(() => {
        this.hangUp(performance.now() - this.quietMs);
        if (this.open.size > 0) return;
        clearInterval(look);
        resolve();
      }, LOOK_MS);
    });
  }

  private add(socket: Socket): void {
    this.open.set(socket, { owed: [], quietSince: performance.now() });
    socket.once('close', () => this.open.delete(socket));
  }

  /** Who never begins would otherwise be waited for, up to the end of a stop's time. */
  private awaitHandshake(socket: Socket): void {
    const end = otherEnd(socket);
    this.raw.set(end, socket);
    socket.once('close', () => {
      if (this.raw.get(end) === socket) this.raw.delete(end);
    });
  }

  /** From then on requests come by the encrypted connection, which is another object. */
  private shakenHands(encrypted: Socket): void {
    const end = otherEnd(encrypted);
    const socket = this.raw.get(end);
    if (socket === undefined) return;
    this.raw.delete(end);
    this.open.delete(socket);
  }

  private async closePort(): Promise<void> {
    const limit = performance.now() + REFUSE_LIMIT_MS;
    let before: number;
    // What the system holds for a port it resets when that is closed. A turn accepts one connection,
    // and the present one may have been past that.
    await turn();
    do {
      before = this.accepted;
      await turn();
    } while (this.accepted > before && performance.now() < limit);
    // The HTTP server's own `close` would hang up on every idle connection at once.
    NetServer.prototype.close.call(this.server);
  }

  private hangUp(quietSince: number): void {
    for (const [socket, connection] of this.open) {
      if (connection.owed.length === 0 && connection.quietSince <= quietSince) socket.destroy();
    }
  }

  private owe(socket: Socket, response: ServerResponse): void {
    const connection = this.open.get(socket);
    if (connection === undefined) return;
    const { owed } = connection;
    owed.push(response);
    response.once('close', () => {
      owed.splice(owed.indexOf(response), 1);
      connection.quietSince = performance.now();
    });
    if (this.draining) announceClose(owed);
  }
}

/** Only the last answer ends the connection, or those behind it would be cut off. */
function announceClose(owed: readonly ServerResponse[]): void {
  const last = owed.at(-1);
  for (const response of owed) {
    if (!response.headersSent) response.shouldKeepAlive = response !== last;
  }
}

function otherEnd({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
