import { Feature } from '../../feature.js';
import { AnswerMemoryModule } from '../../platform/limits/memory/answer-memory.js';
import { ActivityController } from './activity/activity.controller.js';
import { ActivityRepository } from './activity/activity.repository.js';
import { ActivityService } from './activity/activity.service.js';
import { AuditEntryEntity } from './audit-entry.entity.js';
import { AuditLog } from './audit-log.service.js';
import { AuditService } from './audit.service.js';
import { AuditRepository } from './audit.repository.js';

@Feature({
  imports: [AnswerMemoryModule],
  controllers: [ActivityController],
  providers: [ActivityRepository, ActivityService, AuditLog, AuditService, AuditRepository],
  exports: [ActivityService, AuditLog, AuditService],
  entities: [AuditEntryEntity],
})
export class AuditModule {}
