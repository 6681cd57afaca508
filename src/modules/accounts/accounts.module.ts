import { Feature } from '../../feature.js';
import { UserEntity } from './user.entity.js';
import { VendorAffiliateEntity, VendorUserEntity } from './seen/vendor-user.entity.js';
import { LimitsModule } from '../../platform/limits/limits.module.js';
import { MailModule } from '../../platform/mail/mailer.service.js';
import { PageSessions } from '../../platform/pages/visit.js';
import { PasswordConfirmation } from '../../platform/pages/password-confirmation.js';
import { AuditModule } from '../audit/index.js';
import { ChangesModule } from '../../ledger/changes/changes.module.js';
import { AffiliateChangeSource } from './seen/affiliate-change.source.js';
import { AccountsRepository } from './accounts.repository.js';
import { AccountsService } from './accounts.service.js';
import { ApiApplicationEntity, ApiKeyEntity } from './applications/api-application.entity.js';
import { ApiApplicationsService } from './applications/api-applications.service.js';
import { ApiKeysService } from './applications/api-keys.service.js';
import { ManagedApplications } from './applications/managed-applications.js';
import { KeyCipher } from './applications/key-cipher.js';
import { AccountMails } from './passwords/account-mails.js';
import { PasswordLinkEntity } from './passwords/password-link.entity.js';
import { PasswordLinksRepository } from './passwords/password-links.repository.js';
import { PasswordLinksService } from './passwords/password-links.service.js';
import { BrowserSessions } from './pages/browser-sessions.js';
import { KnownBrowsers } from './pages/known-browsers.js';
import { PasswordPrompt } from './pages/password-prompt.js';
import { PasswordChanges } from './passwords/password-changes.js';
import { PasswordHashes } from './passwords/password-hashes.js';
import { PasswordsRepository } from './passwords/passwords.repository.js';
import { UserPasswordEntity } from './passwords/user-password.entity.js';
import { PrincipalsModule } from './applications/principals.module.js';
import { ProvisionalUsersRepository } from './seen/provisional-users.repository.js';
import { ProvisionalUsersService } from './seen/provisional-users.service.js';
import { SeenUsersRepository } from './seen/seen-users.repository.js';
import { SeenUsersService } from './seen/seen-users.service.js';
import { SessionEntity } from './sessions/session.entity.js';
import { SessionsRepository } from './sessions/sessions.repository.js';
import { SessionsService } from './sessions/sessions.service.js';
import { SignInService } from './sessions/sign-in.service.js';
import { SignInNetworkEntity } from './sessions/sign-in-network.entity.js';
import { SignInNetworksRepository } from './sessions/sign-in-networks.repository.js';
import { SignInNetworksService } from './sessions/sign-in-networks.service.js';
import {
  RecoveryCodeEntity,
  TwoFactorEntity,
  TwoFactorRequirementEntity,
} from './two-factor/two-factor.entity.js';
import { TwoFactorRepository } from './two-factor/two-factor.repository.js';
import { TwoFactorSecrets } from './two-factor/two-factor-secrets.js';
import { TwoFactorService } from './two-factor/two-factor.service.js';

const SERVICES = [
  AccountsService,
  ApiApplicationsService,
  ApiKeysService,
  SeenUsersService,
  PasswordLinksService,
  ProvisionalUsersService,
  SessionsService,
  SignInService,
  SignInNetworksService,
  TwoFactorService,
];

/** Sessions of browsers, and the password that account pages request again. */
const FOR_PAGES = [
  BrowserSessions,
  KnownBrowsers,
  PasswordPrompt,
  { provide: PageSessions, useExisting: BrowserSessions },
  { provide: PasswordConfirmation, useExisting: PasswordPrompt },
];

@Feature({
  imports: [AuditModule, ChangesModule, LimitsModule, MailModule, PrincipalsModule],
  providers: [
    ...SERVICES,
    ...FOR_PAGES,
    AccountsRepository,
    KeyCipher,
    ManagedApplications,
    AccountMails,
    PasswordChanges,
    PasswordLinksRepository,
    PasswordHashes,
    PasswordsRepository,
    ProvisionalUsersRepository,
    SeenUsersRepository,
    SessionsRepository,
    SignInNetworksRepository,
    TwoFactorRepository,
    TwoFactorSecrets,
  ],
  exports: [...SERVICES, ...FOR_PAGES],
  entities: [
    UserEntity,
    VendorAffiliateEntity,
    VendorUserEntity,
    UserPasswordEntity,
    PasswordLinkEntity,
    SessionEntity,
    TwoFactorEntity,
    RecoveryCodeEntity,
    TwoFactorRequirementEntity,
    SignInNetworkEntity,
    ApiApplicationEntity,
    ApiKeyEntity,
  ],
  changes: [AffiliateChangeSource],
})
export class AccountsModule {}
