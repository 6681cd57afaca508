import type { ClientRequest, IncomingMessage } from 'node:http';
import { codeOf } from '../errors/is-error.js';

/**
 * Error for a call to another service that got no answer. The message is for users, such as `the
 * name was not found`.
 */
export class OutgoingError extends Error {}

/** Maximum number of informational responses before the answer, such as 103 Early Hints. */
const MAX_HINTS = 10;

interface Limits {
  /** Time limit from the lookup of the host name to the head of the answer. */
  readonly ms: number;
  readonly signal?: AbortSignal;
}

/**
 * Sends a request.
 * @returns the head of the answer; its body is not read yet
 * @throws OutgoingError if there is no answer in time
 */
export function headOf(
  sent: ClientRequest,
  body: string | null,
  limits: Limits,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const end = endingOf(sent, limits, reject);
    limitHints(sent);
    sent.on('response', (response) => {
      end();
      resolve(response);
    });
    sent.end(body ?? undefined);
  });
}

/**
 * Ends a call that takes too long, or that is aborted.
 * @returns a function that must be called when the answer arrives
 */
function endingOf(
  sent: ClientRequest,
  { ms, signal }: Limits,
  reject: (error: OutgoingError) => void,
): () => void {
  // Rejects immediately, because a request without a connection reports its end only once it has
  // one.
  const give = (problem: string) => {
    const error = new OutgoingError(problem);
    end();
    sent.destroy(error);
    reject(error);
  };
  const stop = () => {
    give('the service stops');
  };
  const timer = setTimeout(() => {
    give(`no answer within ${Math.round(ms / 1_000)} s`);
  }, ms);
  // Some requests end without an error: after a 101, for example, the connection is just closed.
  const close = () => {
    end();
    reject(new OutgoingError('the connection was closed before an answer'));
  };
  const end = () => {
    clearTimeout(timer);
    sent.off('close', close);
    signal?.removeEventListener('abort', stop);
  };
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted === true) stop();
  sent.on('close', close);
  sent.on('error', (error) => {
    end();
    reject(error instanceof OutgoingError ? error : new OutgoingError(reasonOf(error)));
  });
  return end;
}

function limitHints(sent: ClientRequest): void {
  let hints = 0;
  sent.on('information', () => {
    hints += 1;
    if (hints > MAX_HINTS) sent.destroy(new OutgoingError('hints come without an answer'));
  });
}

/** Reason of a call to a host whose name has no address. */
export const UNKNOWN_HOST = 'the name was not found';

const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: UNKNOWN_HOST,
  EAI_AGAIN: UNKNOWN_HOST,
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed before an answer',
  EPIPE: 'the connection was closed before an answer',
  ETIMEDOUT: 'no connection in time',
  EHOSTUNREACH: 'the address cannot be reached',
  ENETUNREACH: 'the address cannot be reached',
  HPE_HEADER_OVERFLOW: 'the head of the answer is too long',
};

function reasonOf(error: Error): string {
  const code = codeOf(error) ?? '';
  const known = REASONS[code];
  if (known !== undefined) return known;
  if (code.startsWith('HPE_')) return 'the answer is not HTTP';
  if (/CERT|TLS|SSL|SIGNATURE|EPROTO/.test(code))
    return `the certificate or the TLS handshake failed (${code})`;
  return 'the call failed';
}
