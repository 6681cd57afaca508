import { Module } from '@nestjs/common';
import { ErasedPeopleService } from './erased-people.service.js';
import { PersonCipher } from './person-cipher.js';
import { TombstonesRepository } from './tombstones.repository.js';

/** Apart from the rest of people: whatever writes records needs it. */
@Module({
  providers: [ErasedPeopleService, PersonCipher, TombstonesRepository],
  exports: [ErasedPeopleService, PersonCipher, TombstonesRepository],
})
export class TombstonesModule {}
