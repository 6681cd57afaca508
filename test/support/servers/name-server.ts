import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';

const HEADER = 12;
const [A, AAAA] = [1, 28];
/** Flags of a response to a recursive query (RFC 1035, 4.1.1). */
const [FOUND, NO_SUCH_NAME] = [0x8180, 0x8183];
/** Pointer to the name in the question (RFC 1035, 4.1.4). */
const SAME_NAME = 0xc00c;

/**
 * A name server on this machine, over UDP. It answers queries for its names, and can ignore some.
 */
export class TestNameServer {
  /** Names in all queries, oldest first. */
  readonly queries: string[] = [];
  /**
   * Addresses by name; `silent` means that queries for the name get no response. Other names do not
   * exist.
   */
  readonly names = new Map<string, readonly string[] | 'silent'>();

  /** Queries for these record types get no response. */
  readonly silentTypes = new Set<'A' | 'AAAA'>();

  private constructor(private readonly socket: Socket) {}

  static async start(): Promise<TestNameServer> {
    const socket = createSocket('udp4');
    const server = new TestNameServer(socket);
    socket.on('message', (query, from) => {
      server.answer(query, from);
    });
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return server;
  }

  /** Address and port, in the format of NAME_SERVERS. */
  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`;
  }

  async stop(): Promise<void> {
    this.socket.close();
    await once(this.socket, 'close');
  }

  private answer(query: Buffer, { port, address }: RemoteInfo): void {
    const { name, type, end } = questionOf(query);
    this.queries.push(name);
    const known = this.names.get(name);
    if (known === 'silent' || this.silentTypes.has(type === A ? 'A' : 'AAAA')) return;
    const records = (known ?? [])
      .filter((each) => (isIPv6(each) ? AAAA : A) === type)
      .map((each) => recordOf(each, type));
    const head = Buffer.from(query.subarray(0, HEADER));
    head.writeUInt16BE(known === undefined ? NO_SUCH_NAME : FOUND, 2);
    head.writeUInt16BE(records.length, 6);
    head.fill(0, 8);
    const answer = Buffer.concat([head, query.subarray(HEADER, end), ...records]);
    this.socket.send(answer, port, address);
  }
}

function questionOf(query: Buffer) {
  const labels: string[] = [];
  let at = HEADER;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function recordOf(address: string, type: number): Buffer {
  const bytes = isIPv6(address)
    ? bytesOfIPv6(address)
    : Buffer.from(address.split('.').map(Number));
  const head = Buffer.alloc(HEADER);
  head.writeUInt16BE(SAME_NAME, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(60, 6);
  head.writeUInt16BE(bytes.length, 10);
  return Buffer.concat([head, bytes]);
}

/** @param address an IPv6 address with all of its groups, or `::1` */
function bytesOfIPv6(address: string): Buffer {
  const groups = address === '::1' ? '0:0:0:0:0:0:0:1' : address;
  return Buffer.concat(
    groups.split(':').map((group) => Buffer.from(group.padStart(4, '0'), 'hex')),
  );
}
