import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { AccountsRepository } from './accounts.repository.js';
import { AccountsService } from './accounts.service.js';
import { ApiApplicationsRepository } from './api-applications.repository.js';
import { ApiApplicationsService } from './api-applications.service.js';
import { KeyCipher } from './key-cipher.js';
import { PrincipalsService } from './principals.service.js';

@Module({
  imports: [AuditModule],
  providers: [
    ...[AccountsService, ApiApplicationsService, PrincipalsService],
    ...[AccountsRepository, ApiApplicationsRepository, KeyCipher],
  ],
  exports: [AccountsService, ApiApplicationsService, PrincipalsService],
})
export class AccountsModule {}
