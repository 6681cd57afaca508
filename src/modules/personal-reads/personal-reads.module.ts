import { Module } from '@nestjs/common';
import { PersonalReadsInterceptor } from './http/personal-reads.interceptor.js';
import { PersonalReadLog } from './personal-read-log.service.js';
import { PersonalReadsCleanup, PersonalReadsService } from './personal-reads.service.js';
import { PersonalReadsRepository } from './personal-reads.repository.js';

@Module({
  providers: [
    PersonalReadLog,
    PersonalReadsCleanup,
    PersonalReadsInterceptor,
    PersonalReadsRepository,
    PersonalReadsService,
  ],
  exports: [PersonalReadLog, PersonalReadsCleanup, PersonalReadsService],
})
export class PersonalReadsModule {}
