import { Global, Module } from '@nestjs/common';
import { Principals } from '../../api/access/principal.js';
import { Feature } from '../../feature.js';
import { ChangesModule } from '../../ledger/changes/changes.module.js';
import { repositoriesOf } from '../../platform/database/entities/inject-repository.js';
import { LimitsModule } from '../../platform/limits/limits.module.js';
import { MailModule } from '../../platform/mail/mailer.service.js';
import { PasswordConfirmation } from '../../platform/pages/password-confirmation.js';
import { EndedForms } from '../../platform/pages/forms/ended-forms.js';
import { OwnKeys } from '../../platform/pages/own-keys.js';
import { PageSessions } from '../../platform/pages/visit.js';
import { AuditModule } from '../audit/index.js';
import { ACCOUNT_ENTITIES, ApiApplicationEntity, ApiKeyEntity } from './accounts.entity.js';
import { AccountsRepository } from './accounts.repository.js';
import { ApiApplicationsRepository } from './applications/api-applications.repository.js';
import { ApiApplicationsService } from './applications/api-applications.service.js';
import { KeyCipher } from './applications/key-cipher.js';
import { OwnApplications } from './applications/own-applications.js';
import { PrincipalsService } from './applications/principals.service.js';
import { NewUsersService } from './new-users.service.js';
import { BrowserSessions } from './pages/browser-sessions.js';
import { KeptForms } from './pages/kept-forms.js';
import { KnownBrowsers } from './pages/known-browsers.js';
import { PasswordPrompt } from './pages/password-prompt.js';
import { PasswordHashes } from './passwords/password-hashes.js';
import { PasswordsService } from './passwords/passwords.service.js';
import { PasswordsRepository } from './passwords/passwords.repository.js';
import { ProvisionalUsersService } from './seen/provisional-users.service.js';
import { SeenUsersRepository } from './seen/seen-users.repository.js';
import { AffiliateChangeSource } from './seen/affiliate-change.source.js';
import { SessionsRepository } from './sessions/sessions.repository.js';
import { SessionsService } from './sessions/sessions.service.js';
import { SignInNetworksRepository } from './sessions/sign-in-networks.repository.js';
import { SignInNetworksService } from './sessions/sign-in-networks.service.js';
import { SignInService } from './sessions/sign-in.service.js';
import { TwoFactorRepository } from './sessions/two-factor.repository.js';
import { TwoFactorSecrets, TwoFactorService } from './sessions/two-factor.service.js';

/** Provides the look-up of the user a key belongs to, which guards and controllers use. */
@Global()
@Module({
  providers: [
    ApiApplicationsRepository,
    { provide: Principals, useClass: PrincipalsService },
    ...repositoriesOf(ApiApplicationEntity, ApiKeyEntity),
  ],
  exports: [ApiApplicationsRepository, Principals],
})
class PrincipalsModule {}

const REPOSITORIES = [AccountsRepository, SeenUsersRepository];
const SERVICES = [
  ApiApplicationsService,
  NewUsersService,
  PasswordsService,
  ProvisionalUsersService,
  SessionsService,
  SignInService,
  SignInNetworksService,
  TwoFactorService,
];

/** Sessions of browsers, and the password that account pages request again. */
const FOR_PAGES = [
  BrowserSessions,
  KeptForms,
  KnownBrowsers,
  PasswordPrompt,
  { provide: PageSessions, useExisting: BrowserSessions },
  { provide: EndedForms, useExisting: KeptForms },
  { provide: OwnKeys, useClass: OwnApplications },
  { provide: PasswordConfirmation, useExisting: PasswordPrompt },
];

@Feature({
  imports: [AuditModule, ChangesModule, LimitsModule, MailModule, PrincipalsModule],
  providers: [
    ...REPOSITORIES,
    ...SERVICES,
    ...FOR_PAGES,
    KeyCipher,
    PasswordHashes,
    PasswordsRepository,
    SessionsRepository,
    SignInNetworksRepository,
    TwoFactorRepository,
    TwoFactorSecrets,
  ],
  exports: [...REPOSITORIES, ...SERVICES, ...FOR_PAGES],
  entities: ACCOUNT_ENTITIES,
  changes: [AffiliateChangeSource],
})
export class AccountsModule {}
