import { isIP } from 'node:net';
import type { Request } from 'express';
import { addressOf, networkOf } from '../../../api/access/client-address.js';
import type { SignInPlace } from '../sessions/sign-in-network.model.js';

/** Stands for a socket without an address, or a proxy that sends something else instead of one. */
const UNKNOWN = { network: 'unknown', address: 'an unknown address' };

/** Returns the address, network and browser of a request. */
export function placeOf(request: Request): SignInPlace {
  const address = addressOf(request);
  const from = isIP(address) === 0 ? UNKNOWN : { network: networkOf(request), address };
  return { ...from, device: deviceOf(request.get('user-agent')) };
}

/** Maximum number of characters that are read. A browser sends about 200. */
const MAX_LENGTH = 500;

type Names = readonly (readonly [pattern: RegExp, name: string])[];

/**
 * The order matters, because most browsers also claim to be others further down. The first group is
 * the version.
 */
const BROWSERS: Names = [
  [/\bEdg(?:e|A|iOS)?\/(\d{1,4})/, 'Edge'],
  [/\bOP(?:R|T)\/(\d{1,4})/, 'Opera'],
  [/\bSamsungBrowser\/(\d{1,4})/, 'Samsung Internet'],
  [/\bVivaldi\/(\d{1,4})/, 'Vivaldi'],
  [/\b(?:Firefox|FxiOS)\/(\d{1,4})/, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\/(\d{1,4})/, 'Chrome'],
  [/\bVersion\/(\d{1,4})[\d.]* (?:Mobile\/\w+ )?Safari\//, 'Safari'],
];

const SYSTEMS: Names = [
  [/\bWindows\b/, 'Windows'],
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac(?:intosh| OS X)\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/**
 * Names a browser and its system, such as `Firefox 142 on Windows`. The result consists only of
 * words in this file and digits, whatever a client sends.
 */
function deviceOf(userAgent = ''): string {
  const text = userAgent.slice(0, MAX_LENGTH);
  const browser = nameIn(text, BROWSERS) ?? 'Unknown browser';
  const system = nameIn(text, SYSTEMS);
  return system === null ? browser : `${browser} on ${system}`;
}

function nameIn(text: string, names: Names): string | null {
  for (const [pattern, name] of names) {
    const found = pattern.exec(text);
    if (found !== null) return found[1] === undefined ? name : `${name} ${Number(found[1])}`;
  }
  return null;
}
