import { Feature } from '../../feature.js';
import { AuditEntryEntity } from './audit-entry.entity.js';
import { AuditLines } from './audit-lines.js';
import { AuditRepository } from './audit.repository.js';
import { AuditService } from './audit.service.js';

@Feature({
  providers: [AuditService, AuditRepository, AuditLines],
  exports: [AuditService],
  entities: [AuditEntryEntity],
})
export class AuditModule {}
