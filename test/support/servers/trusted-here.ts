import { readFileSync } from 'node:fs';
import tls from 'node:tls';
import { jest } from '@jest/globals';

/**
 * Makes the calls of this process trust the certificate of a local server. Node.js reads
 * NODE_EXTRA_CA_CERTS only when it starts.
 * @param settings those of a service that may call the server
 * @returns a function that ends the trust
 */
export function trustHere({ NODE_EXTRA_CA_CERTS = '' }: Readonly<Record<string, string>>) {
  const ca = readFileSync(NODE_EXTRA_CA_CERTS, 'utf8');
  const make = tls.createSecureContext;
  const made = jest
    .spyOn(tls, 'createSecureContext')
    .mockImplementation((options) => make({ ca, ...options }));
  return () => {
    made.mockRestore();
  };
}
