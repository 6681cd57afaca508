// Runs a receiver of webhooks on this machine, over HTTPS.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';

/**
 * @param names the subject's alternative names in the form of openssl
 * @returns the files of the key and of its self-signed certificate
 */
export function makeCertificate(folder, names) {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const name = ['-subj', '/CN=localhost', '-addext', `subjectAltName=${names}`];
  const files = ['-keyout', key, '-out', cert, '-days', '2'];
  const kind = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes'];
  execFileSync('openssl', [...kind, ...name, ...files], { stdio: 'ignore' });
  return { key, cert };
}

/** Starts a receiver that calls `onDelivery(path, body)`, which can be set, for each delivery. */
export async function startReceiver({ key, cert }) {
  const receiver = {
    onDelivery: () => undefined,
    stop: () => server.close().closeAllConnections(),
  };
  const options = { key: readFileSync(key), cert: readFileSync(cert) };
  const server = createServer(options, async (received, response) => {
    receiver.onDelivery(received.url, await text(received));
    response.writeHead(204).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  receiver.port = server.address().port;
  return receiver;
}
