import { isIP, Socket, createConnection, isIPv6 } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { Agent, type AgentOptions, type RequestOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import type { AllowedHosts } from './allowed-hosts.js';
import type { CallAccount, NameLookup } from './host-names.js';
import { OutgoingError } from './outgoing-request.js';
import { isError } from '../errors/is-error.js';

/** A server, and the account that calls it. */
export interface Destination {
  /** A host name, or an address without brackets. */
  readonly host: string;
  readonly port: number;
  readonly account: CallAccount;
}

/**
 * Connects to other servers: resolves the host name, and connects to an address that may be called.
 */
export class OutgoingConnections {
  /** @param hosts decides which addresses may be called; null for all */
  constructor(
    private readonly names: NameLookup,
    private readonly hosts: AllowedHosts | null,
  ) {}

  /**
   * Connects to one of the current addresses of the host name. It connects to the addresses that it
   * has checked, so a name that resolves differently a moment later cannot bypass the check.
   * @throws OutgoingError, or the error of the operating system
   */
  async open({ host, port, account }: Destination): Promise<Socket> {
    const found = await this.names.addressesOf(host, account);
    const { hosts } = this;
    const allowed =
      hosts === null ? found : found.filter((address) => hosts.isAllowedAt(address, port));
    if (allowed.length === 0) throw new OutgoingError('the address is not public');
    const socket = await firstConnection(allowed, port);
    const { remoteAddress } = socket;
    if (hosts === null || (remoteAddress !== undefined && hosts.isAllowed(remoteAddress)))
      return socket;
    socket.destroy();
    throw new OutgoingError('the address is not public');
  }

  /**
   * Opens an encrypted connection in the same way. The handshake, which checks the certificate, may
   * still be running when it returns.
   * @throws OutgoingError, or the error of the operating system
   */
  async secure(destination: Destination): Promise<TLSSocket> {
    const socket = await this.open(destination);
    const { host } = destination;
    const servername = isIP(host) === 0 ? host : '';
    return connect({ socket, host, servername, ALPNProtocols: ['http/1.1'] });
  }

  /** Returns a function that opens the connection of a request. */
  createFor(account: CallAccount, isSecure = true) {
    return ({ host, port }: RequestOptions, created?: Created): undefined => {
      const destination = { host: host ?? '', port: Number(port), account };
      (isSecure ? this.secure(destination) : this.open(destination)).then(
        (socket) => created?.(null, socket),
        (error: unknown) => {
          // The callback expects a stream, but ignores it after an error.
          created?.(isError(error) ? error : new Error('no connection'), new Socket());
        },
      );
    };
  }
}

type Created = (error: Error | null, stream: Duplex) => void;

/** Options of a request with the account that makes it. */
export interface AccountRequestOptions extends RequestOptions {
  readonly account: CallAccount;
}

/** Keeps connections for later requests of the same account to the same server. */
export class ConnectionAgent extends Agent {
  constructor(
    private readonly connections: OutgoingConnections,
    options: AgentOptions,
  ) {
    super(options);
  }

  override createConnection(options: RequestOptions, created?: Created): undefined {
    this.connections.createFor(accountOf(options))(options, created);
  }

  /**
   * Separates the connections of accounts, so that an account that uses up its own does not delay
   * others.
   */
  override getName(options: RequestOptions = {}): string {
    return `${super.getName(options)}:${accountOf(options)}`;
  }
}

function accountOf(options: RequestOptions): CallAccount {
  const account = 'account' in options ? options.account : null;
  if (typeof account === 'number' || account === 'operator') return account;
  throw new Error('a call to another server names no account');
}

/** Time after which the next address is tried as well (RFC 8305). */
const HEAD_START_MS = 250;
/** Time limit for all addresses together. An address that is tried late still has most of it. */
const TOTAL_MS = 10_000;
const MAX_ADDRESSES = 8;

/**
 * Connects to the addresses of a server, one after the other, and returns the first connection that
 * succeeds. Earlier attempts continue while later ones begin, so that a distant server has time to
 * answer at any of its addresses.
 * @throws the error of the last address that failed, or OutgoingError if none answers in time
 */
export function firstConnection(addresses: readonly string[], port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const waiting = alternating(addresses).slice(0, MAX_ADDRESSES);
    const open = new Set<Socket>();
    let next: NodeJS.Timeout | undefined;
    const finish = () => {
      clearTimeout(next);
      clearTimeout(total);
      for (const socket of open) socket.destroy();
    };
    const total = setTimeout(() => {
      finish();
      reject(new OutgoingError('no connection in time'));
    }, TOTAL_MS);
    const begin = () => {
      clearTimeout(next);
      const address = waiting.shift();
      if (address === undefined) return;
      const socket = createConnection({
        host: address,
        port,
        noDelay: true,
        autoSelectFamily: false,
      });
      open.add(socket);
      socket.once('connect', () => {
        open.delete(socket);
        finish();
        resolve(socket);
      });
      // The listener remains, because an error of an abandoned socket must not end the process.
      socket.on('error', (error) => {
        if (!open.delete(socket)) return;
        if (waiting.length > 0) begin();
        else if (open.size === 0) {
          finish();
          reject(error);
        }
      });
      next = setTimeout(begin, HEAD_START_MS);
    };
    begin();
  });
}

/**
 * Alternates between the families, IPv6 first, so that a family that does not work costs only one
 * head start.
 */
function alternating(addresses: readonly string[]): string[] {
  const [six, four] = [addresses.filter(isIPv6), addresses.filter((each) => !isIPv6(each))];
  const longest = Math.max(six.length, four.length);
  return Array.from({ length: longest }, (_, at) => [six[at], four[at]])
    .flat()
    .filter((address) => address !== undefined);
}
