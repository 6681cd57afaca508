import { Module } from '@nestjs/common';
import { repositoriesOf } from '../../database/entities/inject-repository.js';
import { ApiApplicationEntity, ApiKeyEntity } from './applications/api-application.entity.js';
import { ApiApplicationsRepository } from './applications/api-applications.repository.js';
import { PrincipalsService } from './principals.service.js';

/**
 * Provides the look-up of the user a key belongs to. This module is separate from AccountsModule,
 * which imports modules that look up keys themselves.
 */
@Module({
  providers: [
    ApiApplicationsRepository,
    PrincipalsService,
    ...repositoriesOf(ApiApplicationEntity, ApiKeyEntity),
  ],
  exports: [ApiApplicationsRepository, PrincipalsService],
})
export class PrincipalsModule {}
