import type { Type } from '@nestjs/common';
import { Feature } from '../../feature.js';
import { AnswerMemoryModule } from '../../platform/limits/memory/answer-memory.js';
import { LimitsModule } from '../../platform/limits/limits.module.js';
import { ChangesRepository, ChangedRecordEntity } from './changes.repository.js';
import { ChangeSources } from './change-sources.js';
import { ChangesService } from './changes.service.js';
import { ChangeWaitsService } from './change-waits.service.js';
import { ChangesFeedService } from './changes-feed.service.js';
import { ChangesController, extendedQueries } from './changes.controller.js';
import { ExtensionChangesService } from './extension-changes.service.js';
import {
  ChangeCursorEntity,
  ChangeCursorsRepository,
} from './listeners/change-cursors.repository.js';
import { ChangeListeners } from './listeners/change-listeners.js';
import { ListenerTurnsService } from './listeners/listener-turns.service.js';
import { ListenersJob } from './listeners/listeners.job.js';

@Feature({
  imports: [AnswerMemoryModule, LimitsModule],
  controllers: [ChangesController],
  providers: [
    ChangesRepository,
    ChangeSources,
    ChangesService,
    ChangesFeedService,
    ChangeWaitsService,
    ExtensionChangesService,
    ChangeCursorsRepository,
    ListenerTurnsService,
  ],
  exports: [
    ChangesRepository,
    ChangesService,
    ChangesFeedService,
    ChangeSources,
    ExtensionChangesService,
  ],
  entities: [ChangedRecordEntity, ChangeCursorEntity],
  checks: [ChangeListeners],
  jobs: [ListenersJob],
  personalData: [ChangeListeners],
})
export class ChangesModule {
  constructor(private readonly feed: ChangesFeedService) {}

  /** The class that takes the place of each query class, if extensions add kinds. */
  get queries(): ReadonlyMap<unknown, Type> {
    return extendedQueries(this.feed);
  }
}
