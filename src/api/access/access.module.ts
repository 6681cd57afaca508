import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { IgnoredParametersGuard } from '../versions/ignored-parameters.guard.js';
import { ApiKeyGuard, ApiKeyStrategy, PrincipalCache } from './api-key.guard.js';
import { AddressLimits } from '../../platform/limits/address-limits.js';
import { KeyLimitGuard } from './key-limit.guard.js';
import { LimitsModule } from '../../platform/limits/limits.module.js';
import { OpenLimitGuard } from './open-limit.guard.js';
import { OperationAccessGuard } from './operation-access.guard.js';

/**
 * Runs the guards of every API request in the order of this list. The limits per address come
 * before the lookup of the key, and the check of the access level comes last.
 */
@Module({
  imports: [LimitsModule],
  providers: [
    ApiKeyGuard,
    ApiKeyStrategy,
    PrincipalCache,
    { provide: APP_GUARD, useClass: IgnoredParametersGuard },
    { provide: APP_GUARD, useExisting: AddressLimits },
    { provide: APP_GUARD, useClass: OpenLimitGuard },
    { provide: APP_GUARD, useExisting: ApiKeyGuard },
    { provide: APP_GUARD, useClass: KeyLimitGuard },
    { provide: APP_GUARD, useClass: OperationAccessGuard },
  ],
})
export class AccessModule {}
