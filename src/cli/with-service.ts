import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../app.module.js';
import { ServiceLogger } from '../observability/log/service-logger.js';
import { loadSettings, warnOfMistypedSettings } from '../config/load-settings.js';
import type { Settings } from '../config/settings.js';
import { AuditLines } from '../modules/audit/audit-lines.js';
import { NO_APPLICATION, OPERATOR } from '../modules/audit/audit.model.js';
import { reportingStartErrors } from '../start-errors.js';
import { printError } from './output.js';

/** Exit status if the settings or the database prevent a command from running. */
const START_FAILED = 3;

/** Author of changes that commands make. */
export const BY_OPERATOR = { user_id: OPERATOR, application_id: NO_APPLICATION } as const;

/**
 * Runs a command that needs only the settings.
 * @param work returns the exit status
 */
export function withSettings(work: (settings: Settings) => Promise<number>): Promise<void> {
  return reportingStartErrors(async () => {
    warnOfMistypedSettings();
    process.exitCode = await work(loadSettings());
  }, START_FAILED);
}

/**
 * Runs a command with the services, but without HTTP.
 * @param work returns the exit status
 */
export function withService(
  work: (services: INestApplicationContext) => Promise<number>,
): Promise<void> {
  return withSettings(async (loaded) => {
    // Statements have no time limit, because an import or a check of the whole ledger may take
    // long.
    const settings = Object.assign({}, loaded, { statementMs: null });
    const services = await NestFactory.createApplicationContext(AppModule.of(settings), {
      // Only errors are logged, because standard output belongs to the command.
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

/** Kind of error whose message tells the operator why the command failed. */
type Expected = abstract new (...args: never[]) => Error;

/**
 * Runs a command with the services, but without HTTP. Errors of the expected kinds are printed, and
 * cause exit status 1.
 * @param work returns false for exit status 1
 */
export function withServiceExpecting(
  expected: readonly Expected[],
  work: (services: INestApplicationContext) => Promise<unknown>,
): Promise<void> {
  return withService(async (services) => {
    try {
      return (await work(services)) === false ? 1 : 0;
    } catch (error) {
      if (!(error instanceof Error) || !expected.some((kind) => error instanceof kind)) throw error;
      printError(error.message);
      return 1;
    }
  });
}
