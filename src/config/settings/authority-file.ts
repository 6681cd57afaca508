import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { SettingError } from '../read-value.js';

/**
 * Reads a PEM file of certificate authorities.
 * @param unreadable the problem of a path that cannot be read
 * @throws SettingError if the file cannot be read or contains no certificate
 */
export function readAuthorities(
  setting: string,
  path: string,
  unreadable: string,
  example: string,
): Buffer {
  let pem: Buffer;
  try {
    pem = readFileSync(path);
  } catch {
    throw new SettingError(setting, unreadable, example);
  }
  if (hasCertificates(pem)) return pem;
  throw new SettingError(setting, 'must contain PEM certificates', example);
}

function hasCertificates(pem: Buffer): boolean {
  try {
    createSecureContext({ ca: pem });
  } catch {
    return false;
  }
  // Node accepts a file without certificates as an empty list.
  return pem.includes('-----BEGIN CERTIFICATE-----');
}
