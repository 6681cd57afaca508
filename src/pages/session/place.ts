import { isIP } from 'node:net';
import type { Request } from 'express';
import { addressOf, networkOf } from '../../access/client-address.js';
import type { SignInPlace } from '../../modules/accounts/sign-ins/sign-in-network.model.js';
import { deviceOf } from './device.js';

/** Stands for a socket without an address, or a proxy that sends something else instead of one. */
const UNKNOWN = { network: 'unknown', address: 'an unknown address' };

/** Returns the address, network and browser of a request. */
export function placeOf(request: Request): SignInPlace {
  const address = addressOf(request);
  const from = isIP(address) === 0 ? UNKNOWN : { network: networkOf(request), address };
  return { ...from, device: deviceOf(request.get('user-agent')) };
}
