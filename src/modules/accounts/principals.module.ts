import { Module } from '@nestjs/common';
import { repositoriesOf } from '../../database/entities/inject-repository.js';
import { ApiApplicationEntity, ApiKeyEntity } from './applications/api-application.entity.js';
import { ApiApplicationsRepository } from './applications/api-applications.repository.js';
import { PrincipalsService } from './principals.service.js';

/** Finds whom a key belongs to. It is apart from AccountsModule, which needs modules that look keys up themselves. */
@Module({
  providers: [
    ApiApplicationsRepository,
    PrincipalsService,
    ...repositoriesOf(ApiApplicationEntity, ApiKeyEntity),
  ],
  exports: [ApiApplicationsRepository, PrincipalsService],
})
export class PrincipalsModule {}
