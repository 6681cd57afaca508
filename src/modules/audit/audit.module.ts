import { Module } from '@nestjs/common';
import { repositoriesOf } from '../../database/entities/inject-repository.js';
import { AuditEntryEntity } from './audit-entry.entity.js';
import { AuditLines } from './audit-lines.js';
import { AuditRepository } from './audit.repository.js';
import { AuditService } from './audit.service.js';

@Module({
  providers: [AuditService, AuditRepository, AuditLines, ...repositoriesOf(AuditEntryEntity)],
  exports: [AuditService],
})
export class AuditModule {}
