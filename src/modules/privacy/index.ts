export { ExtensionSweepCheck } from './extension-rows/extension-sweep.job.js';
export { OpenImportsService } from './people/open-imports.service.js';
export { PrivacyModule } from './privacy.module.js';
export { PersonalReadsInterceptor } from './reads/personal-reads.interceptor.js';
export { RetentionRulesService } from './retention/retention-rules.service.js';
export { RetentionRunService } from './retention/retention-run.service.js';
export { ErasedPeopleService } from './tombstones/erased-people.service.js';
