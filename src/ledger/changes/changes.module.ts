import { Feature } from '../../feature.js';
import { AnswerMemoryModule } from '../../platform/limits/memory/answer-memory.js';
import { LimitsModule } from '../../platform/limits/limits.module.js';
import { ChangesRepository, ChangedRecordEntity } from './changes.repository.js';
import { ChangesService } from './changes.service.js';
import { ChangeWaitsService } from './change-waits.service.js';
import { ChangesFeedService } from './changes-feed.service.js';
import { ChangesController } from './changes.controller.js';

@Feature({
  imports: [AnswerMemoryModule, LimitsModule],
  controllers: [ChangesController],
  providers: [ChangesRepository, ChangesService, ChangesFeedService, ChangeWaitsService],
  exports: [ChangesService, ChangesFeedService],
  entities: [ChangedRecordEntity],
})
export class ChangesModule {}
