import { Global, Module } from '@nestjs/common';
import { repositoriesOf } from '../../../platform/database/entities/inject-repository.js';
import { Principals } from '../../../api/access/principal.js';
import { ApiApplicationEntity, ApiKeyEntity } from './api-application.entity.js';
import { ApiApplicationsRepository } from './api-applications.repository.js';
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
