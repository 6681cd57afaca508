import { Global, Module } from '@nestjs/common';
import { repositoriesOf } from '../../database/entities/inject-repository.js';
import { Principals } from '../../routing/principal.js';
import { ApiApplicationEntity, ApiKeyEntity } from './applications/api-application.entity.js';
import { ApiApplicationsRepository } from './applications/api-applications.repository.js';
import { PrincipalsService } from './principals.service.js';

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
export class PrincipalsModule {}
