export { type ActivityHistory, ActivityService } from './activity/activity.service.js';
export { AuditLog, type ExtensionAuditEntry } from './audit-log.service.js';
export { parseAuditLine } from './audit.model.js';
export type { AuditEntry, LoggedAuditEntry } from './audit.model.js';
export { AuditModule } from './audit.module.js';
export { AuditService } from './audit.service.js';
export {
  type Advice,
  CLI,
  isoOf,
  lastNumberOf,
  NO_ACCOUNT,
  routine,
  shellWord,
  type State,
  type UndoneActions,
  urgent,
} from './audit.model.js';
