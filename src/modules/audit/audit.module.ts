import { Feature } from '../../feature.js';
import { AuditEntryEntity } from './audit-entry.entity.js';
import { AuditLines, AuditService } from './audit.service.js';
import { AuditRepository } from './audit.repository.js';

@Feature({
  providers: [AuditService, AuditRepository, AuditLines],
  exports: [AuditService],
  entities: [AuditEntryEntity],
})
export class AuditModule {}
