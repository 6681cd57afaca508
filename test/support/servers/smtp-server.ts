import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { until } from './running-service.js';

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** The mail as sent, with all headers. */
  readonly raw: string;
}

/**
 * An SMTP server without encryption that keeps all received mail. It supports as much of RFC 5321
 * as a client needs.
 */
export class TestSmtpServer {
  readonly mails: ReceivedMail[] = [];
  /** Number of connections, greeted or not. */
  connections = 0;
  refused = 0;
  /** Response to each recipient if the server rejects them, else null. */
  refusal: string | null = null;
  private isHeld = false;
  private readonly sockets = new Set<Socket>();
  private waiting: (() => void)[] = [];

  private constructor(private readonly server: Server) {}

  static async start(): Promise<TestSmtpServer> {
    const server = createServer();
    const smtp = new TestSmtpServer(server);
    server.on('connection', (socket) => {
      smtp.accept(socket);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return smtp;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Number of open connections. A client closes its own once it has read why a mail is refused. */
  get open(): number {
    return this.sockets.size;
  }

  /** Settings of a service that sends its mail here. */
  get environment() {
    return {
      SMTP_URL: `smtp://127.0.0.1:${this.port}`,
      MAIL_FROM: 'Reports <reports@example.test>',
      PUBLIC_URL: 'https://reports.example.test',
    };
  }

  /** Sends no greeting to new connections until `release`. */
  hold(): void {
    this.isHeld = true;
  }

  release(): void {
    this.isHeld = false;
    for (const greet of this.waiting) greet();
    this.waiting = [];
  }

  /** Waits until this many mails to an address have arrived, and returns them. */
  async mailsTo(address: string, count: number): Promise<ReceivedMail[]> {
    const found = () => this.mails.filter(({ to }) => to.includes(address));
    await until(`mail ${count} to ${address}`, () => found().length >= count);
    return found();
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private accept(socket: Socket): void {
    this.connections += 1;
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket));
    socket.on('error', () => undefined);
    const greet = () => socket.write('220 smtp.example.test ESMTP\r\n');
    if (this.isHeld) this.waiting.push(greet);
    else greet();
    this.listen(socket);
  }

  private listen(socket: Socket): void {
    let text = '';
    let envelope: { from: string; to: string[] } = { from: '', to: [] };
    let isData = false;
    socket.on('data', (bytes: Buffer) => {
      text += bytes.toString('utf8');
      for (;;) {
        const end = text.indexOf(isData ? '\r\n.\r\n' : '\r\n');
        if (end < 0) return;
        const line = text.slice(0, end);
        text = text.slice(end + (isData ? 5 : 2));
        if (isData) {
          isData = false;
          this.mails.push({ ...envelope, raw: line });
          envelope = { from: '', to: [] };
          socket.write('250 taken\r\n');
          continue;
        }
        const [, verb = '', address = ''] = /^(\w+)[^<]*(?:<([^>]*)>)?/.exec(line) ?? [];
        isData = this.answer(socket, verb.toUpperCase(), address, envelope);
      }
    });
  }

  /** @returns true if the content of a mail follows */
  private answer(
    socket: Socket,
    verb: string,
    address: string,
    envelope: { from: string; to: string[] },
  ): boolean {
    if (verb === 'MAIL') envelope.from = address;
    const isRefused = verb === 'RCPT' && this.refusal !== null;
    if (verb === 'RCPT' && !isRefused) envelope.to.push(address);
    if (isRefused) this.refused += 1;
    const words = isRefused ? `${String(this.refusal)} <${address}>` : '250 fine';
    socket.write(verb === 'DATA' ? '354 go on\r\n' : `${words}\r\n`);
    if (verb === 'QUIT') socket.end();
    return verb === 'DATA';
  }
}

/** Returns the link of a mail, whose lines may be folded by quoted-printable. */
export function linkIn({ raw }: ReceivedMail): string {
  const text = raw.replaceAll('=\r\n', '').replaceAll('=3D', '=');
  return /https:\/\/\S+\/account\/password\/[\w-]{43}/.exec(text)?.[0] ?? 'no link';
}
