import { Module } from '@nestjs/common';
import { AuditLines } from './audit-lines.js';
import { AuditRepository } from './audit.repository.js';
import { AuditService } from './audit.service.js';

@Module({ providers: [AuditService, AuditRepository, AuditLines], exports: [AuditService] })
export class AuditModule {}
