import { Feature } from '../../feature.js';
import { PersonalReadEntity } from './personal-read.entity.js';
import { PersonalReadsInterceptor } from './http/personal-reads.interceptor.js';
import { PersonalReadLog } from './personal-read-log.service.js';
import { PersonalReadsCleanup, PersonalReadsService } from './personal-reads.service.js';
import { PersonalReadsRepository } from './personal-reads.repository.js';

@Feature({
  providers: [
    PersonalReadLog,
    PersonalReadsInterceptor,
    PersonalReadsRepository,
    PersonalReadsService,
  ],
  exports: [PersonalReadLog, PersonalReadsService],
  entities: [PersonalReadEntity],
  jobs: [PersonalReadsCleanup],
})
export class PersonalReadsModule {}
