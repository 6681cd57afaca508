import { Module } from '@nestjs/common';
import { ErasedPeopleService } from './erased-people.service.js';
import { ErasuresFile } from '../erasures-file/erasures-file.js';
import { PersonCipher } from './person-cipher.js';
import { PersonKeysService } from './person-keys.service.js';
import { TombstonesRepository } from './tombstones.repository.js';

/** Apart from the rest of people: whatever writes records needs it. */
@Module({
  providers: [
    ErasedPeopleService,
    ErasuresFile,
    PersonCipher,
    PersonKeysService,
    TombstonesRepository,
  ],
  exports: [
    ErasedPeopleService,
    ErasuresFile,
    PersonCipher,
    PersonKeysService,
    TombstonesRepository,
  ],
})
export class TombstonesModule {}
