import { Feature } from '../../feature.js';
import { AuditEntryEntity } from './audit-entry.entity.js';
import { AuditService } from './audit.service.js';
import { AuditRepository } from './audit.repository.js';

@Feature({
  providers: [AuditService, AuditRepository],
  exports: [AuditService],
  entities: [AuditEntryEntity],
})
export class AuditModule {}
