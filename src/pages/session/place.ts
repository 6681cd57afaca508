import { isIP } from 'node:net';
import type { Request } from 'express';
import { addressOf, networkOf } from '../../access/client-address.js';
import type { SignInPlace } from '../../modules/accounts/sign-ins/sign-in-network.model.js';
import { deviceOf } from './device.js';

/** Of a socket without an address, or of a proxy that sends something else in its place. */
const UNKNOWN = { network: 'unknown', address: 'an unknown address' };

/** Where a request comes from, and with which browser. */
export function placeOf(request: Request): SignInPlace {
  const address = addressOf(request);
  const from = isIP(address) === 0 ? UNKNOWN : { network: networkOf(request), address };
  return { ...from, device: deviceOf(request.get('user-agent')) };
}
