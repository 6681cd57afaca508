import { connect, isIPv6, type Socket } from 'node:net';
import { OutgoingError } from '../outgoing-error.js';

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
      const socket = connect({ host: address, port, noDelay: true, autoSelectFamily: false });
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
