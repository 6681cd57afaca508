import type { Server } from 'node:http';
import { Server as TlsServer } from 'node:https';
import type { LoggerService } from '@nestjs/common';
import { isError } from '../../platform/errors/is-error.js';
import { loadTls, type TransportSettings } from '../../config/settings/transport-settings.js';

const CONTEXT = 'TLS';

/**
 * Reloads the certificate and its key for new connections. If the files are unusable, the old
 * certificate stays in use.
 */
export function reloadTls(server: Server, { tls }: TransportSettings, logger: LoggerService): void {
  if (tls === null || !(server instanceof TlsServer)) return;
  try {
    server.setSecureContext(loadTls(tls));
    logger.log('The certificate was reloaded.', CONTEXT);
  } catch (error) {
    const cause = isError(error) ? error.message : 'unusable';
    logger.error(`The old certificate stays in use: ${cause}`, CONTEXT);
  }
}
