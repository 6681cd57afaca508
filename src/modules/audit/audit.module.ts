import { Feature } from '../../feature.js';
import { AuditEntryEntity } from './audit-entry.entity.js';
import { AuditLog } from './audit-log.service.js';
import { AuditService } from './audit.service.js';
import { AuditRepository } from './audit.repository.js';

@Feature({
  providers: [AuditLog, AuditService, AuditRepository],
  exports: [AuditLog, AuditService],
  entities: [AuditEntryEntity],
})
export class AuditModule {}
