import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../app.module.js';
import type { LoadedExtension } from '../feature.js';
import { creatingParts } from './extensions/creating-parts.js';
import { loadExtensions } from './extensions/load-extensions.js';
import { loadFeatures } from './installed-features.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { ServiceLogger } from '../platform/observability/service-logger.js';
import { loadSettings, warnOfMistypedSettings } from './load-settings.js';
import type { Settings } from '../config/settings.js';
import { AuditService } from '../modules/audit/index.js';
import { ExtensionSweepCheck } from '../modules/privacy/index.js';
import { reportingStartErrors } from './start-errors.js';
import { printError } from '../platform/commands/output.js';

/** Exit status if the settings or the database prevent a command from running. */
const START_FAILED = 3;

/**
 * Runs a command that needs only the settings.
 * @param work returns the exit status
 * @param load loads the extensions
 */
export function withSettings(
  work: (settings: Settings, extensions: readonly LoadedExtension[]) => Promise<number>,
  load: () => Promise<readonly LoadedExtension[]> = loadExtensions,
): Promise<void> {
  return reportingStartErrors(async () => {
    const extensions = await load();
    warnOfMistypedSettings(extensions);
    process.exitCode = await work(loadSettings(extensions), extensions);
  }, START_FAILED);
}

/** Runs the work of `withService`, in platform/commands. */
export function runWithService(
  work: (services: INestApplicationContext) => Promise<unknown>,
  hasExtensions: boolean,
): Promise<void> {
  const load = hasExtensions ? undefined : () => Promise.resolve([]);
  return withSettings(async (loaded, extensions) => {
    // Statements have no time limit, because an import or a check of the whole ledger may take
    // long.
    const settings = Object.assign({}, loaded, { statementMs: null });
    const features = await loadFeatures(extensions);
    const create = () =>
      NestFactory.createApplicationContext(AppModule.of(settings, features), {
        // Only errors are logged, because standard output belongs to the command.
        logger: new ServiceLogger({ environment: settings.environment, logLevel: 'error' }),
        abortOnError: false,
      });
    const services = await creatingParts(features.extensions, create);
    services.get(AuditService).logTo(process.stderr);
    try {
      // A command of an extension may show rows that were restored from a backup.
      if (features.extensions.length > 0) await services.get(ExtensionSweepCheck).check();
      const outcome = await work(services);
      return typeof outcome === 'number' ? outcome : Number(outcome === false);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      printError(error.message);
      return 1;
    } finally {
      await services.close();
    }
  }, load);
}
