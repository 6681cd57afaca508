import { Feature } from '../../feature.js';
import { ChangedRecordEntity } from './changed-record.entity.js';
import { AnswerMemoryModule } from '../../answer-memory/answer-memory.module.js';
import { ChangeSourcesService } from './change-sources.service.js';
import { ChangesRepository } from './changes.repository.js';
import { ChangesService } from './changes.service.js';
import { ChangeWaitsService } from './feed/change-waits.service.js';
import { ChangesFeedService } from './feed/changes-feed.service.js';
import { ChangesController } from './http/ledger-1/changes.controller.js';

@Feature({
  imports: [AnswerMemoryModule],
  controllers: [ChangesController],
  providers: [
    ChangesRepository,
    ChangesService,
    ChangeSourcesService,
    ChangesFeedService,
    ChangeWaitsService,
  ],
  exports: [ChangesService, ChangeSourcesService, ChangesFeedService],
  entities: [ChangedRecordEntity],
})
export class ChangesModule {}
