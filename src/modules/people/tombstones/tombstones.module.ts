import { Module } from '@nestjs/common';
import { ErasedPeopleService } from './erased-people.service.js';
import { ErasuresFile } from '../erasures-file/erasures-file.js';
import { ErasuresSyncService } from '../erasures-file/erasures-sync.service.js';
import { OpenImportsRepository } from '../open-imports/open-imports.repository.js';
import { OpenImportsService } from '../open-imports/open-imports.service.js';
import { PersonCipher } from './person-cipher.js';
import { PersonKeysService } from './person-keys.service.js';
import { TombstonesRepository } from './tombstones.repository.js';

/** Provides tombstones to all modules that write records. It is separate from PeopleModule. */
@Module({
  providers: [
    ErasedPeopleService,
    ErasuresFile,
    ErasuresSyncService,
    OpenImportsRepository,
    OpenImportsService,
    PersonCipher,
    PersonKeysService,
    TombstonesRepository,
  ],
  exports: [
    ErasedPeopleService,
    ErasuresFile,
    ErasuresSyncService,
    OpenImportsRepository,
    OpenImportsService,
    PersonCipher,
    PersonKeysService,
    TombstonesRepository,
  ],
})
export class TombstonesModule {}
