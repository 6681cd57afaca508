export {
  affiliateNameOf,
  type ApiApplication,
  UnknownAccountError,
  UnreadableKeyError,
  type UserOfSource,
} from './account.model.js';
export type { VendorAffiliate } from './accounts.entity.js';
export { AccountsModule } from './accounts.module.js';
export { AccountsRepository } from './accounts.repository.js';
export { ApiApplicationsService } from './applications/api-applications.service.js';
export { APPLICATION_ACTIONS, USER_ACTIONS } from './audited-actions.js';
export { ProvisionalUsersService } from './seen/provisional-users.service.js';
export { SeenUsersRepository } from './seen/seen-users.repository.js';
export { SignInService } from './sessions/sign-in.service.js';
export { TwoFactorService } from './sessions/two-factor.service.js';
