import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** How a commit begins on the wire; "COMMIT" alone is in "READ COMMITTED" of every new connection, too. */
export const COMMIT = '\u0003COMMIT';

interface Trap {
  readonly text: string;
  readonly isHandedOn: boolean;
  sprung: boolean;
}

/** A network between the service and its database that a test can spoil. */
export class FlakyProxy {
  /** Milliseconds by which every piece is late, in both directions. */
  delayMs = 0;
  /** True where nothing comes through any more, and nobody is told. */
  isCut = false;
  /** True where every new connection is hung up on, as where nobody listens. */
  isRefused = false;
  /** True where all of it fails when the trap of `breakAfter` has sprung. */
  failsOnceBroken = false;
  /** Connections so far, those included of which nobody hears anything. */
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

  /** How many connections lead through it. */
  get connections(): number {
    return this.sockets.size / 2;
  }

  /** Where new connections go from now on. */
  leadTo(port: number): void {
    this.target = port;
  }

  /** Hands on the next piece to the database that holds this text, and then breaks its connection. */
  breakAfter(text: string): void {
    this.trap = { text, isHandedOn: true, sprung: false };
  }

  /** Breaks the connection of the next piece to the database that holds this text; the piece is lost. */
  breakBefore(text: string): void {
    this.trap = { text, isHandedOn: false, sprung: false };
  }

  /** Cuts everything off when the next piece to the database comes that holds this text. */
  cutBefore(text: string): void {
    this.cutAt = { text, isHandedOn: false };
  }

  /** Hands that piece on, and cuts everything off: its answer does not come through. */
  cutAfter(text: string): void {
    this.cutAt = { text, isHandedOn: true };
  }

  get hasBroken(): boolean {
    return this.trap?.sprung ?? false;
  }

  /** Breaks every connection and takes no new one, until `isRefused` is false again. */
  fail(): void {
    this.isRefused = true;
    this.breakAll();
  }

  /** Breaks every connection. */
  breakAll(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  /** Where all is cut off, the database gives up whoever it hears nothing of, and these learn nothing. */
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
    // What the database answers is lost with the connection.
    this.trapped.add(to);
    await wait(TRAP_MS);
    from.destroy();
    if (this.failsOnceBroken) this.fail();
  }
}

/** Long enough for the database to do what it was asked. */
const TRAP_MS = 200;
