import { SourceApplicationError, UnknownAccountError } from '../modules/accounts/account.model.js';
import { ApiApplicationsService } from '../modules/accounts/applications/api-applications.service.js';
import { ApiKeysService } from '../modules/accounts/applications/api-keys.service.js';
import { printError } from './output.js';
import { withService } from './with-service.js';

/** Runs a command on API applications. What it cannot find or must not change gives exit status 1. */
export function withApplications(
  work: (applications: ApiApplicationsService, keys: ApiKeysService) => Promise<void>,
): Promise<void> {
  return withService(async (services) => {
    try {
      await work(services.get(ApiApplicationsService), services.get(ApiKeysService));
      return 0;
    } catch (error) {
      const isExpected =
        error instanceof UnknownAccountError || error instanceof SourceApplicationError;
      if (!isExpected) throw error;
      printError(error.message);
      return 1;
    }
  });
}
