import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../app.module.js';
import { ServiceLogger } from '../observability/log/service-logger.js';
import { loadSettings, warnOfMistypedSettings } from '../config/load-settings.js';
import type { Settings } from '../config/settings.js';
import { AuditLines } from '../modules/audit/audit-lines.js';
import { reportingStartErrors } from '../start-errors.js';

/** Exit status where the settings or the database keep a command from doing its work. */
const NOT_DONE = 3;

/**
 * Runs a command that needs the settings alone.
 * @param work returns the exit status
 */
export function withSettings(work: (settings: Settings) => Promise<number>): Promise<void> {
  return reportingStartErrors(async () => {
    warnOfMistypedSettings();
    process.exitCode = await work(loadSettings());
  }, NOT_DONE);
}

/**
 * Runs a command on the services, without HTTP.
 * @param work returns the exit status
 */
export function withService(
  work: (services: INestApplicationContext) => Promise<number>,
): Promise<void> {
  return withSettings(async (loaded) => {
    // An import or a check of the whole ledger takes as long as it takes.
    const settings = Object.assign({}, loaded, { statementMs: null });
    const services = await NestFactory.createApplicationContext(AppModule.of(settings), {
      // Standard output is the command's own.
      logger: new ServiceLogger({ environment: settings.environment, logLevel: 'error' }),
      abortOnError: false,
    });
    services.get(AuditLines).writeTo(process.stderr);
    try {
      return await work(services);
    } finally {
      await services.close();
    }
  });
}
