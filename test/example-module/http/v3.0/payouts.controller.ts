import { Controller, Get, Query } from '@nestjs/common';
import { CurrentPrincipal } from '../../../../src/access/current-principal.js';
import type { Answer } from '../../../../src/common/envelope/envelope.js';
import type { Principal } from '../../../../src/modules/accounts/account.model.js';
import { Described } from '../../../../src/routing/described.js';
import { PayoutsService } from '../../payouts.service.js';
import { presentPayout } from './payout.presenter.js';
import { PayoutsQuery } from './payouts.query.js';

@Controller({ path: 'payouts/months', version: '3.0' })
export class PayoutsController {
  constructor(private readonly payouts: PayoutsService) {}

  @Get()
  @Described({
    id: 'listMonthlyPayouts',
    summary: 'What your sales of a year brought you, month by month',
    failures: ['not_found'],
  })
  async byMonth(
    @CurrentPrincipal() principal: Principal,
    @Query() query: PayoutsQuery,
  ): Promise<Answer> {
    const payouts = await this.payouts.payoutsByMonth(principal.user_id, query.year);
    return { results: payouts.map(presentPayout) };
  }
}
