import type { Request } from 'express';

/**
 * Returns the URL at which clients reach this service: PUBLIC_URL if it is set, and otherwise the
 * address that the client has called. A client of HTTP/1.0 may name no host; the URL then has the
 * address of the connection.
 */
export function serviceUrlOf(publicUrl: string | null, request: Request): string {
  if (publicUrl !== null) return publicUrl;
  const host = request.headers.host === undefined ? localHostOf(request) : request.host;
  return `${request.protocol}://${host}`;
}

function localHostOf({ socket }: Request): string {
  const { localAddress = '127.0.0.1', localPort = 80 } = socket;
  return `${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
}
