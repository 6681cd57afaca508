import { SourceApplicationError, UnknownAccountError } from '../modules/accounts/account.model.js';
import { ApiApplicationsService } from '../modules/accounts/applications/api-applications.service.js';
import { ApiKeysService } from '../modules/accounts/applications/api-keys.service.js';
import { withServiceExpecting } from './with-service.js';

const EXPECTED = [UnknownAccountError, SourceApplicationError];

/**
 * Runs a command on API applications. Exit status 1 reports an application that it cannot find or
 * must not change.
 */
export function withApplications(
  work: (applications: ApiApplicationsService, keys: ApiKeysService) => Promise<void>,
): Promise<void> {
  return withServiceExpecting(EXPECTED, (services) =>
    work(services.get(ApiApplicationsService), services.get(ApiKeysService)),
  );
}
