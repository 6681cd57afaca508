/** With an SMTP_URL that demands encryption, no mail and no password is ever sent unencrypted. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { MailEncryption } from '../../../src/config/settings/mail-settings.js';
import { MailError } from '../../../src/platform/mail/mail.model.js';
import { SmtpServer } from '../../../src/platform/mail/smtp-server.js';
import { HostNames, NameServers } from '../../../src/platform/outgoing/host-names.js';
import { OperatorCalls } from '../../../src/platform/outgoing/operator-calls.js';
import { Certificates } from '../../support/servers/certificates.js';

const LOGIN = { user: 'mailer-user', password: 'mailer-password' };
const MAIL = { to: 'ann@example.test', subject: 'Set your password', text: 'the secret link' };
const certificates = new Certificates();
const calls = new OperatorCalls(new HostNames(new NameServers([])));

let server: Server;
/** The unencrypted text, which an eavesdropper could read, and the text inside TLS. */
let clear: string;
let encrypted: string;
const sockets = new Set<Socket>();

beforeAll(() => {
  certificates.make('stranger', 'smtp.example.test');
  certificates.make('own', 'localhost');
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  server.close();
  await once(server, 'close');
});
afterAll(() => {
  certificates.remove();
});

/**
 * @param offered the lines after EHLO
 * @param onStartTls the server's reaction to STARTTLS
 */
async function listen(offered: string, onStartTls: (socket: Socket) => void): Promise<number> {
  [clear, encrypted] = ['', ''];
  server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.write('220 smtp.example.test ESMTP\r\n');
    socket.on('data', (bytes: Buffer) => {
      const text = bytes.toString('latin1');
      clear += text;
      if (text.startsWith('EHLO')) socket.write(offered);
      else if (text.startsWith('STARTTLS')) onStartTls(socket);
      else socket.write(text.startsWith('DATA') ? '354 go on\r\n' : '250 fine\r\n');
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

/** Does a TLS handshake with an unsigned certificate. */
function handshake(socket: Socket, name = 'stranger'): void {
  socket.removeAllListeners('data');
  socket.write('220 go on\r\n');
  const tls = new TLSSocket(socket, {
    isServer: true,
    key: readFileSync(certificates.key(name)),
    cert: readFileSync(certificates.certificate(name)),
  });
  tls.on('error', () => undefined);
  tls.on('data', (bytes: Buffer) => {
    encrypted += bytes.toString('latin1');
    tls.end();
  });
}

const PLAIN = '250-smtp.example.test\r\n250 AUTH PLAIN LOGIN\r\n';
const TLS = '250-smtp.example.test\r\n250-STARTTLS\r\n250 AUTH PLAIN LOGIN\r\n';
const says = (line: string) => (socket: Socket) => {
  socket.write(`${line}\r\n`);
};

it.each<[string, MailEncryption, string, (socket: Socket) => void]>([
  ['does not offer STARTTLS', 'starttls', PLAIN, says('502 unknown command')],
  ['does not offer STARTTLS, and then goes on', 'starttls', PLAIN, says('220 go on')],
  ['refuses STARTTLS for a while', 'starttls', TLS, says('454 not now')],
  ['refuses STARTTLS', 'starttls', TLS, says('502 unknown command')],
  ['takes STARTTLS and stays in the clear', 'starttls', TLS, says('220 go on\r\n250 AUTH PLAIN')],
  ['has a certificate of its own', 'starttls', TLS, handshake],
  ['speaks no TLS on the port of smtps', 'tls', TLS, says('220 go on')],
])('sends nothing to a server that %s', async (_, encryption, offered, onStartTls) => {
  const port = await listen(offered, onStartTls);
  const from = { name: 'Reports', address: 'reports@example.test' };
  const settings = {
    host: '127.0.0.1',
    port,
    encryption,
    login: LOGIN,
    from,
    ca: undefined,
  };
  const error = await new SmtpServer(settings, 'localhost', calls)
    .send(MAIL)
    .catch((e: unknown) => e);
  expect(error).toBeInstanceOf(MailError);
  expect(String(error)).not.toContain(MAIL.to);
  const secrets = [LOGIN.user, LOGIN.password].flatMap((text) => [
    text,
    Buffer.from(text).toString('base64'),
  ]);
  const plain = Buffer.from(`\0${LOGIN.user}\0${LOGIN.password}`).toString('base64');
  for (const secret of [...secrets, plain, MAIL.to, MAIL.text, from.address, 'AUTH', 'MAIL FROM']) {
    expect([secret, (clear + encrypted).includes(secret)]).toEqual([secret, false]);
  }
});

it('signs in and sends where no encryption is demanded, so the test above can fail', async () => {
  const offered = '250-smtp.example.test\r\n250 AUTH PLAIN\r\n';
  const port = await listen(offered, says('502 unknown command'));
  const from = { name: '', address: 'reports@example.test' };
  const settings = { host: '127.0.0.1', port, encryption: 'none' as const, login: LOGIN };
  const sender = { from, ca: undefined };
  // The server accepts no sign-in: it answers 250 instead of 235.
  await new SmtpServer({ ...settings, ...sender }, 'localhost', calls)
    .send(MAIL)
    .catch(() => undefined);
  expect(clear).toMatch(/^AUTH PLAIN /m);
});

describe('a certificate', () => {
  const from = { name: '', address: 'reports@example.test' };
  /**
   * Sends a mail to a server with one of the certificates.
   * @returns the outcome as text
   */
  async function sendTo(name: 'own' | 'stranger', isTrusted: boolean): Promise<string> {
    const port = await listen(TLS, (socket) => {
      handshake(socket, name);
    });
    const ca = isTrusted ? readFileSync(certificates.certificate(name)) : undefined;
    const settings = { host: 'localhost', port, encryption: 'starttls' as const, login: null };
    const sent = new SmtpServer({ ...settings, from, ca }, 'localhost', calls).send(MAIL);
    return sent.then(
      () => 'sent',
      (error: unknown) => (error instanceof MailError ? error.message : 'another error'),
    );
  }

  it('that is not trusted is told, with the setting that names its authority', async () => {
    const told = await sendTo('own', false);
    expect(told).toMatch(/certificate of the SMTP server is not trusted: .*SMTP_CA/);
    expect(encrypted).toBe('');
  });

  it('for another host is told as such', async () => {
    expect(await sendTo('stranger', true)).toMatch(/is not for the host of SMTP_URL/);
    expect(encrypted).toBe('');
  });

  it('of the authority that is set is taken', async () => {
    expect(await sendTo('own', true)).not.toContain('certificate');
    expect(encrypted).toMatch(/^EHLO /);
  });

  it('is not the problem where the connection is refused', async () => {
    const port = await listen(TLS, () => undefined);
    server.close();
    await once(server, 'close');
    const settings = { host: '127.0.0.1', port, encryption: 'tls' as const, login: null };
    const sent = new SmtpServer({ ...settings, from, ca: undefined }, 'localhost', calls).send(
      MAIL,
    );
    await expect(sent).rejects.toThrow('did not take the mail (ECONNREFUSED)');
    server = createServer().listen(0);
  });
});
