import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { createTransport, type Transporter } from 'nodemailer';
import { isMailAddress } from '../values/email.js';
import { isRecord } from '../values/is-record.js';
import type { MailEncryption, MailSettings } from '../../config/settings/mail-settings.js';
import { isError } from '../errors/is-error.js';
import type { OperatorCalls } from '../outgoing/operator-calls.js';
import { OutgoingError } from '../outgoing/outgoing-request.js';
import { MailError, type Mail } from './mail.model.js';

/** Ports for the submission of mails (RFC 8314). */
const DEFAULT_PORTS: Readonly<Record<MailEncryption, number>> = {
  tls: 465,
  starttls: 587,
  none: 587,
};
/** Time limit for the connection, and for the greeting of the server. */
const CONNECT_MS = 10_000;
const SILENCE_MS = 20_000;
/** Time limit for a whole mail, which also applies if the server answers byte by byte. */
const TOTAL_MS = 60_000;
const REFUSED_FOR_GOOD = 500;

/** Sends mails to the server of SMTP_URL. Each mail uses its own connection. */
export class SmtpServer {
  private readonly transport: Transporter;

  /** @param ownName host name with which the service introduces itself to the server */
  constructor(
    private readonly settings: MailSettings,
    ownName: string,
    private readonly calls: OperatorCalls,
  ) {
    const { host, port, encryption, login, ca } = settings;
    this.transport = createTransport({
      host,
      port,
      name: ownName,
      secure: encryption === 'tls',
      requireTLS: encryption === 'starttls',
      ignoreTLS: encryption === 'none',
      ...(ca === undefined ? {} : { tls: { ca } }),
      ...(login === null ? {} : { auth: { user: login.user, pass: login.password } }),
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      getSocket: (_, given) => {
        this.connect().then(
          (connection) => {
            given(null, { connection });
          },
          (error: unknown) => {
            given(isError(error) ? error : new Error('no connection'));
          },
        );
      },
      socketTimeout: SILENCE_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  /** @throws MailError if the mail was not sent */
  async send({ to, subject, text }: Mail): Promise<void> {
    if (!isMailAddress(to)) {
      throw new MailError('This is no e-mail address that a mail can be sent to.', true);
    }
    const sent = this.transport.sendMail({
      from: this.settings.from,
      to: { name: '', address: to },
      subject,
      text,
      headers: { 'Auto-Submitted': 'auto-generated' },
      xMailer: false,
    });
    const giveUp = new AbortController();
    const timeUp = wait(TOTAL_MS, undefined, { signal: giveUp.signal, ref: false }).then(() => {
      throw new MailError('The SMTP server took too long.', false);
    });
    try {
      await Promise.race([sent, timeUp]);
    } catch (error) {
      throw mailErrorOf(error);
    } finally {
      giveUp.abort();
      // The attempt may still fail after the time limit.
      sent.catch(() => undefined);
    }
  }

  private connect(): Promise<Socket> {
    const { host, port, encryption } = this.settings;
    return this.calls.connect({ host, port: port ?? DEFAULT_PORTS[encryption] });
  }
}

/**
 * Returns whether a value is an error code: a word or a number, such as EAUTH, ECONNREFUSED or 535.
 */
function isCode(value: unknown): value is string | number {
  return typeof value === 'number' || (typeof value === 'string' && /^\w+$/.test(value));
}

/**
 * Converts an error. The message contains only codes, because the text of a server can repeat the
 * address.
 */
function mailErrorOf(error: unknown): MailError {
  if (error instanceof MailError) return error;
  if (error instanceof OutgoingError) {
    return new MailError(`The SMTP server cannot be reached: ${error.message}.`, false);
  }
  const { code, originalCode, responseCode } = isRecord(error) ? error : {};
  const problem = typeof originalCode === 'string' ? certificateProblem(originalCode) : null;
  if (problem !== null) return new MailError(problem, true);
  const codes = [code, originalCode, responseCode].filter(isCode);
  const detail = codes.length === 0 ? '' : ` (${codes.join(' ')})`;
  const isFinal = typeof responseCode === 'number' && responseCode >= REFUSED_FOR_GOOD;
  return new MailError(`The SMTP server did not take the mail${detail}.`, isFinal);
}

/** Codes of Node.js for certificates that are not trusted. */
const UNTRUSTED: ReadonlySet<string> = new Set([
  'CERT_CHAIN_TOO_LONG',
  'CERT_REJECTED',
  'CERT_REVOKED',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'PATH_LENGTH_EXCEEDED',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

const OTHERS: ReadonlyMap<string, string> = new Map([
  ['CERT_HAS_EXPIRED', 'has expired. Renew it there'],
  ['CERT_NOT_YET_VALID', 'is not valid yet. Check the clocks of both machines'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'is not for the host of SMTP_URL'],
  ['HOSTNAME_MISMATCH', 'is not for the host of SMTP_URL'],
]);

/**
 * @returns a sentence about the certificate of the SMTP server, or null if the code has another
 * cause
 */
function certificateProblem(code: string): string | null {
  const known = OTHERS.get(code);
  const untrusted =
    'is not trusted: no known authority signed it. Set SMTP_CA to a PEM file with its authority';
  const problem = known ?? (UNTRUSTED.has(code) ? untrusted : null);
  return problem === null
    ? null
    : `SMTP_URL: the certificate of the SMTP server ${problem} (${code}).`;
}
