import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as TlsServer } from 'node:https';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';

const POLL_MS = 25;
/** Milliseconds after which the port is closed, even if new clients keep connecting. */
const CLOSE_LIMIT_MS = 100;

interface Connection {
  /** Unfinished responses, in the order of their requests. */
  readonly pending: ServerResponse[];
  idleSince: number;
}

/**
 * Tracks which connections have unfinished responses. Node's own `closeIdleConnections` skips
 * connections that never sent a request, and does not wait for a client that is about to send its
 * next one.
 */
export class OpenConnections {
  private readonly open = new Map<Socket, Connection>();
  /** Connections in the TLS handshake, by their remote address and port. */
  private readonly handshaking = new Map<string, Socket>();
  private accepted = 0;
  private closing: Promise<void> | undefined;
  private draining = false;
  private idleMs = Infinity;

  /**
   * Tracks the connections of the server from now on.
   * @param server must not listen yet
   */
  constructor(private readonly server: Server) {
    server.on('connection', (socket: Socket) => {
      this.accepted += 1;
      this.add(socket);
      if (server instanceof TlsServer) this.awaitHandshake(socket);
    });
    server.on('secureConnection', (socket: Socket) => {
      this.endHandshake(socket);
      this.add(socket);
    });
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
      this.addPending(request.socket, response);
    });
  }

  get requests(): number {
    return [...this.open.values()].reduce((sum, { pending }) => sum + pending.length, 0);
  }

  /** Closes the port, after accepting the connections that wait there. */
  stopAccepting(): Promise<void> {
    return (this.closing ??= this.closePort());
  }

  /**
   * Limits the time for which idle connections stay open.
   * @param idleMs milliseconds; a shorter time that was set before remains
   */
  limitIdle(idleMs: number): void {
    this.idleMs = Math.min(this.idleMs, idleMs);
  }

  /** Closes the port, finishes the pending requests, and closes idle connections. */
  async drain(): Promise<void> {
    await this.stopAccepting();
    this.draining = true;
    for (const { pending } of this.open.values()) announceClose(pending);
    await new Promise<void>((resolve) => {
      const poll = setInterval(() => {
        this.closeIdle(performance.now() - this.idleMs);
        if (this.open.size > 0) return;
        clearInterval(poll);
        resolve();
      }, POLL_MS);
    });
  }

  private add(socket: Socket): void {
    this.open.set(socket, { pending: [], idleSince: performance.now() });
    socket.once('close', () => this.open.delete(socket));
  }

  /** Remembers a handshake, since an unfinished one must not delay the shutdown. */
  private awaitHandshake(socket: Socket): void {
    const end = remoteEnd(socket);
    this.handshaking.set(end, socket);
    socket.once('close', () => {
      if (this.handshaking.get(end) === socket) this.handshaking.delete(end);
    });
  }

  /** Replaces the plain connection: the encrypted connection is another object. */
  private endHandshake(encrypted: Socket): void {
    const end = remoteEnd(encrypted);
    const socket = this.handshaking.get(end);
    if (socket === undefined) return;
    this.handshaking.delete(end);
    this.open.delete(socket);
  }

  private async closePort(): Promise<void> {
    const limit = performance.now() + CLOSE_LIMIT_MS;
    let before: number;
    // Closing the port resets connections that wait in its backlog. Each turn of the event loop
    // accepts one; the current turn may already be past that point.
    await turn();
    do {
      before = this.accepted;
      await turn();
    } while (this.accepted > before && performance.now() < limit);
    // The `close` of the HTTP server would close idle connections immediately.
    NetServer.prototype.close.call(this.server);
  }

  private closeIdle(idleSince: number): void {
    for (const [socket, connection] of this.open) {
      if (connection.pending.length === 0 && connection.idleSince <= idleSince) socket.destroy();
    }
  }

  private addPending(socket: Socket, response: ServerResponse): void {
    const connection = this.open.get(socket);
    if (connection === undefined) return;
    const { pending } = connection;
    pending.push(response);
    response.once('close', () => {
      pending.splice(pending.indexOf(response), 1);
      connection.idleSince = performance.now();
    });
    if (this.draining) announceClose(pending);
  }
}

/**
 * Makes only the last response close the connection; otherwise the responses after it would be
 * lost.
 */
function announceClose(pending: readonly ServerResponse[]): void {
  const last = pending.at(-1);
  for (const response of pending) {
    if (!response.headersSent) response.shouldKeepAlive = response !== last;
  }
}

function remoteEnd({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
