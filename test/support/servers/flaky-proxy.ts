import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * A commit begins with these bytes on the wire. "COMMIT" alone would also match the "READ
 * COMMITTED" that every new connection sends.
 */
export const COMMIT = '\u0003COMMIT';

interface Trap {
  readonly text: string;
  readonly isHandedOn: boolean;
  sprung: boolean;
}

/** A proxy between the service and its database that a test can disturb. */
export class FlakyProxy {
  /** Milliseconds by which each piece is delayed, in both directions. */
  delayMs = 0;
  /** If true, all traffic is dropped silently. */
  isCut = false;
  /** If true, every new connection is closed at once, as if nothing listened on the port. */
  isRefused = false;
  /**
   * If true, the proxy fails completely once the trap of `breakAfter` or `breakBefore` has sprung.
   */
  failsOnceBroken = false;
  /** Number of connections accepted so far, including those whose traffic is dropped. */
  accepted = 0;
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private readonly toDatabase = new WeakSet<Socket>();
  private readonly trapped = new WeakSet<Socket>();
  private cutAt: { readonly text: string; readonly isHandedOn: boolean } | null = null;
  private trap: Trap | null = null;

  private constructor(private target: number) {
    this.server = createServer((client) => {
      this.join(client);
    });
  }

  static async to(port: number): Promise<FlakyProxy> {
    const proxy = new FlakyProxy(port);
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Number of connections that are open through the proxy. */
  get connections(): number {
    return this.sockets.size / 2;
  }

  /** Sends new connections to this port from now on. */
  leadTo(port: number): void {
    this.target = port;
  }

  /**
   * Forwards the next piece to the database that contains this text, then breaks its connection.
   */
  breakAfter(text: string): void {
    this.trap = { text, isHandedOn: true, sprung: false };
  }

  /**
   * Breaks the connection of the next piece to the database that contains this text. The piece is
   * lost.
   */
  breakBefore(text: string): void {
    this.trap = { text, isHandedOn: false, sprung: false };
  }

  /**
   * Cuts off all traffic when the next piece to the database contains this text. The piece is lost.
   */
  cutBefore(text: string): void {
    this.cutAt = { text, isHandedOn: false };
  }

  /**
   * Forwards the next piece to the database that contains this text, then cuts off all traffic, so
   * that its response is lost.
   */
  cutAfter(text: string): void {
    this.cutAt = { text, isHandedOn: true };
  }

  get hasBroken(): boolean {
    return this.trap?.sprung ?? false;
  }

  /** Breaks every connection and accepts no new one until `isRefused` is false again. */
  fail(): void {
    this.isRefused = true;
    this.breakAll();
  }

  /** Breaks every connection. */
  breakAll(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  /**
   * Closes the connections to the database, as the database does with silent clients. While the
   * traffic is cut off, the clients do not notice.
   */
  giveUp(): void {
    for (const socket of this.sockets) if (this.toDatabase.has(socket)) socket.destroy();
  }

  async close(): Promise<void> {
    this.breakAll();
    this.server.close();
    await once(this.server, 'close');
  }

  private join(client: Socket): void {
    this.accepted += 1;
    if (this.isRefused) {
      client.destroy();
      return;
    }
    const database = connect(this.target, '127.0.0.1');
    this.toDatabase.add(database);
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      this.sockets.add(from);
      from.setNoDelay(true);
      // Each end learns that the other is gone, as long as the network works.
      from.on('error', () => undefined);
      from.on('close', () => {
        this.sockets.delete(from);
        if (!this.isCut) to.destroy();
      });
      let last = Promise.resolve();
      from.on('data', (bytes: Buffer) => {
        last = last.then(() => this.handOn(bytes, from, to, to === database));
      });
    }
  }

  private async handOn(
    bytes: Buffer,
    from: Socket,
    to: Socket,
    isQuestion: boolean,
  ): Promise<void> {
    if (this.delayMs > 0) await wait(this.delayMs);
    if (isQuestion && this.cutAt !== null && bytes.includes(this.cutAt.text)) {
      if (this.cutAt.isHandedOn) to.write(bytes);
      this.cutAt = null;
      this.isCut = true;
    }
    if (this.isCut || this.trapped.has(from)) return;
    const { trap } = this;
    if (!isQuestion || trap === null || trap.sprung || !bytes.includes(trap.text)) {
      to.write(bytes);
      return;
    }
    trap.sprung = true;
    if (trap.isHandedOn) to.write(bytes);
    // The response of the database is lost with the connection.
    this.trapped.add(to);
    await wait(TRAP_MS);
    from.destroy();
    if (this.failsOnceBroken) this.fail();
  }
}

/** The database executes the received piece within this time, in milliseconds. */
const TRAP_MS = 200;
