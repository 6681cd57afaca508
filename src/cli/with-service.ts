import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../app.module.js';
import { ServiceLogger } from '../common/service-logger.js';
import { loadSettings } from '../config/load-settings.js';
import { reportingStartErrors } from '../start-errors.js';

/** Exit status where the settings or the database keep a command from doing its work. */
const NOT_DONE = 3;

/**
 * Runs a command on the services, without HTTP.
 * @param work returns the exit status
 */
export async function withService(
  work: (services: INestApplicationContext) => Promise<number>,
): Promise<void> {
  await reportingStartErrors(async () => {
    // An import or a check of the whole ledger takes as long as it takes.
    const settings = Object.assign({}, loadSettings(), { statementMs: null });
    const services = await NestFactory.createApplicationContext(AppModule.of(settings), {
      // Standard output is the command's own.
      logger: new ServiceLogger({ environment: settings.environment, logLevel: 'error' }),
      abortOnError: false,
    });
    try {
      process.exitCode = await work(services);
    } finally {
      await services.close();
    }
  }, NOT_DONE);
}
