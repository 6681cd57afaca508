export { parseAuditLine } from './audit-line.model.js';
export { AuditLines } from './audit-lines.js';
export type { AuditEntry, LoggedAuditEntry } from './audit.model.js';
export { AuditModule } from './audit.module.js';
export { AuditService } from './audit.service.js';
export {
  type Advice,
  CLI,
  isoOf,
  lastNumberOf,
  routine,
  shellWord,
  type State,
  type UndoneActions,
  urgent,
} from './undone-action.model.js';
