import { Controller, Get, Param } from '@nestjs/common';
import { CurrentPrincipal } from '../../../../access/current-principal.js';
import type { Answer } from '../../../../common/envelope/envelope.js';
import type { Principal } from '../../../accounts/account.model.js';
import { RecurringService } from '../../recurring.service.js';
import { presentRecurringPayment } from './recurring-payment.presenter.js';

/** Interface 4.3. */
@Controller({ path: 'recurring_payment', version: '2.0' })
export class RecurringPaymentsController {
  constructor(private readonly recurring: RecurringService) {}

  @Get(':preKey')
  async get(
    @CurrentPrincipal() principal: Principal,
    @Param('preKey') preKey: string,
  ): Promise<Answer> {
    const payment = await this.recurring.paymentOf(principal.user_id, preKey);
    return { results: [presentRecurringPayment(payment)] };
  }
}
