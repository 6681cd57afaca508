export {
  affiliateNameOf,
  type ApiApplication,
  UnknownAccountError,
  UnreadableKeyError,
  type UserOfSource,
} from './account.model.js';
export type { VendorAffiliate } from './accounts.entity.js';
export { AccountsModule } from './accounts.module.js';
export { AccountsService } from './accounts.service.js';
export { ApiApplicationsService } from './applications/api-applications.service.js';
export { APPLICATION_ACTIONS, USER_ACTIONS } from './audited-actions.js';
export { ProvisionalUsersService } from './seen/provisional-users.service.js';
export { SeenUsersService } from './seen/seen-users.service.js';
export { SignInService } from './sessions/sign-in.service.js';
