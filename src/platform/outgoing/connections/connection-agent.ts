import { Agent, type AgentOptions, type RequestOptions } from 'node:https';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { isError } from '../../errors/is-error.js';
import type { CallAccount } from './host-names.js';
import type { Destination, OutgoingConnections } from './outgoing-connections.js';

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
    const open = (destination: Destination) => this.connections.secure(destination);
    connecting(open, accountOf(options))(options, (error, stream) => {
      created?.(error, stream);
    });
  }

  /**
   * Separates the connections of accounts, so that an account that uses up its own does not delay
   * others.
   */
  override getName(options: RequestOptions = {}): string {
    return `${super.getName(options)}:${accountOf(options)}`;
  }
}

/** Returns a function that opens the connection of a request. */
export function connecting(
  open: (destination: Destination) => Promise<Socket>,
  account: CallAccount,
) {
  return ({ host, port }: RequestOptions, created: Created): undefined => {
    open({ host: host ?? '', port: Number(port), account }).then(
      (socket) => {
        created(null, socket);
      },
      (error: unknown) => {
        // The callback expects a stream, but ignores it after an error.
        created(isError(error) ? error : new Error('no connection'), new Socket());
      },
    );
  };
}

function accountOf(options: RequestOptions): CallAccount {
  const account = 'account' in options ? options.account : null;
  if (typeof account === 'number' || account === 'operator') return account;
  throw new Error('a call to another server names no account');
}
