import { Module } from '@nestjs/common';
import { AccountsRepository } from './accounts.repository.js';
import { AccountsService } from './accounts.service.js';
import { KeyCipher } from './key-cipher.js';

@Module({
  providers: [AccountsService, AccountsRepository, KeyCipher],
  exports: [AccountsService],
})
export class AccountsModule {}
