import type { Server } from 'node:http';
import { Server as TlsServer } from 'node:https';
import type { LoggerService } from '@nestjs/common';
import { isError } from '../../common/errors/is-error.js';
import { loadTls, type TransportSettings } from '../../config/settings/transport-settings.js';

const CONTEXT = 'TLS';

/**
 * Reads the certificate and its key again, for all connections to come. Files that can not be used
 * leave the old ones in force.
 */
export function reloadTls(server: Server, { tls }: TransportSettings, logger: LoggerService): void {
  if (tls === null || !(server instanceof TlsServer)) return;
  try {
    server.setSecureContext(loadTls(tls));
    logger.log('The certificate was read again.', CONTEXT);
  } catch (error) {
    const why = isError(error) ? error.message : 'unusable';
    logger.error(`The old certificate stays in force: ${why}`, CONTEXT);
  }
}
