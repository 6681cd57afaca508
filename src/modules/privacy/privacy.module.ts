import { DiscoveryModule } from '@nestjs/core';
import { Feature } from '../../feature.js';
import { PersonalReads } from '../../api/access/personal-reads.js';
import { ChangesModule } from '../../ledger/changes/changes.module.js';
import { AccountsModule } from '../accounts/index.js';
import { AuditModule } from '../audit/index.js';
import { UpstreamsModule } from '../mirror/index.js';
import { RecurringModule } from '../recurring/index.js';
import { TransactionsModule } from '../transactions/index.js';
import { ErasePersonService, QuotedDataService } from './people/erase-person.service.js';
import { ErasuresCheckService } from './people/erasures-check.job.js';
import {
  EarlyErasuresEntity,
  ErasedPersonEntity,
  ErasureFileEntity,
  OpenImportEntity,
  PersonalReadEntity,
  PersonKeyEntity,
  RetainedLedgerEntity,
  RetentionRuleEntity,
} from './privacy.entity.js';
import { ExtensionRowsRepository } from './extension-rows/extension-rows.repository.js';
import { ExtensionRowsService } from './extension-rows/extension-rows.service.js';
import { ExtensionSweepCheck } from './extension-rows/extension-sweep.job.js';
import { ExtensionSweepService } from './extension-rows/extension-sweep.service.js';
import { OpenImportsRepository } from './people/open-imports.repository.js';
import { OpenImportsService } from './people/open-imports.service.js';
import { PendingErasuresService } from './people/pending-erasures.service.js';
import { PeopleService } from './people/people.service.js';
import { PersonalReadLog } from './reads/personal-read-log.service.js';
import { ExtensionOperations } from './reads/extension-operations.js';
import { PersonalReadsInterceptor } from './reads/personal-reads.interceptor.js';
import { PersonalReadsRepository } from './reads/personal-reads.repository.js';
import { PersonalReadsCleanup, PersonalReadsService } from './reads/personal-reads.service.js';
import { RetentionRulesService } from './retention/retention-rules.service.js';
import { RetentionLoopService, RetentionRunService } from './retention/retention-run.service.js';
import { RetentionRepository } from './retention/retention.repository.js';
import { ErasedPeopleService } from './tombstones/erased-people.service.js';
import { ErasuresFile } from './tombstones/erasures-file.js';
import { ErasuresSyncService } from './tombstones/erasures-sync.service.js';
import { PersonCipher, PersonKeysService } from './tombstones/person-keys.service.js';
import { TombstonesRepository } from './tombstones/tombstones.repository.js';

@Feature({
  imports: [
    AccountsModule,
    AuditModule,
    ChangesModule,
    DiscoveryModule,
    RecurringModule,
    TransactionsModule,
    UpstreamsModule,
  ],
  providers: [
    ErasedPeopleService,
    ErasePersonService,
    ExtensionOperations,
    ExtensionRowsRepository,
    ExtensionRowsService,
    ExtensionSweepService,
    ErasuresFile,
    ErasuresSyncService,
    OpenImportsRepository,
    OpenImportsService,
    PendingErasuresService,
    PeopleService,
    PersonCipher,
    PersonKeysService,
    PersonalReadLog,
    { provide: PersonalReads, useExisting: PersonalReadLog },
    PersonalReadsInterceptor,
    PersonalReadsRepository,
    PersonalReadsService,
    QuotedDataService,
    RetentionRepository,
    RetentionRulesService,
    RetentionRunService,
    TombstonesRepository,
  ],
  exports: [
    ExtensionOperations,
    ErasedPeopleService,
    ErasePersonService,
    ExtensionSweepService,
    OpenImportsService,
    PeopleService,
    PersonalReads,
    PersonalReadsService,
    RetentionRulesService,
    RetentionRunService,
  ],
  entities: [
    ErasedPersonEntity,
    PersonKeyEntity,
    ErasureFileEntity,
    OpenImportEntity,
    EarlyErasuresEntity,
    PersonalReadEntity,
    RetentionRuleEntity,
    RetainedLedgerEntity,
  ],
  checks: [ErasuresCheckService, ExtensionSweepCheck],
  jobs: [ErasuresCheckService, ExtensionSweepCheck, PersonalReadsCleanup, RetentionLoopService],
})
export class PrivacyModule {}
