import { readFileSync } from 'node:fs';
import tls from 'node:tls';
import { jest } from '@jest/globals';

/**
 * Lets the calls of this process trust the certificate of a local server. Node reads NODE_EXTRA_CA_CERTS only
 * at its start.
 * @param settings of a service that may call the server
 * @returns a function that ends it
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
