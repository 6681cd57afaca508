import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import { AccountsModule } from '../modules/accounts/accounts.module.js';
import { AccountGuard, ApiKeyGuard } from './api-key.guard.js';
import { ApiKeyStrategy } from './api-key.strategy.js';
import { PrincipalMemory } from './principal-memory.js';

/** What every request passes before its controller, in this order. */
@Module({
  imports: [PassportModule.register({ session: false }), AccountsModule],
  providers: [
    ApiKeyStrategy,
    PrincipalMemory,
    { provide: APP_GUARD, useClass: ApiKeyGuard },
    { provide: APP_GUARD, useClass: AccountGuard },
  ],
})
export class AccessModule {}
