import { Controller, Get, Param } from '@nestjs/common';
import { CurrentPrincipal } from '../../../../access/current-principal.js';
import type { Answer } from '../../../../common/envelope/envelope.js';
import type { Principal } from '../../../accounts/account.model.js';
import { TransactionFeedsService } from '../../transaction-feeds.service.js';
import { presentTransactionDetail } from './transaction-detail.presenter.js';

/** Interface 4.2. */
@Controller({ path: 'transaction/details', version: '2.1' })
export class TransactionDetailsController {
  constructor(private readonly transactions: TransactionFeedsService) {}

  @Get(':paykey')
  async get(
    @CurrentPrincipal() principal: Principal,
    @Param('paykey') paykey: string,
  ): Promise<Answer> {
    const detail = await this.transactions.detail(principal.user_id, paykey);
    return { results: [presentTransactionDetail(detail)] };
  }
}
