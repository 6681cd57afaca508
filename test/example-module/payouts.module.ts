import { Module } from '@nestjs/common';
import type { Extension } from '../../src/extension.js';
import { PayoutGoals1800000000000 } from './1800000000000-payout-goals.js';
import { PayoutsController } from './http/v3.0/payouts.controller.js';
import { PayoutGoalEntity } from './payout-goal.entity.js';
import { PayoutsRepository } from './payouts.repository.js';
import { PayoutsService } from './payouts.service.js';

@Module({ controllers: [PayoutsController], providers: [PayoutsService, PayoutsRepository] })
export class PayoutsModule {}

export const PAYOUTS: Extension = {
  module: PayoutsModule,
  entities: [PayoutGoalEntity],
  migrations: [PayoutGoals1800000000000],
};
