import { isIP, type Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import type { AllowedHosts } from '../allowed-hosts.js';
import type { CallAccount, NameLookup } from './host-names.js';
import { OutgoingError } from '../outgoing-error.js';
import { firstConnection } from './first-connection.js';

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
}
