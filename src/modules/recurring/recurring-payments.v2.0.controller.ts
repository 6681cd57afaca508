import { Body, Controller, Get, Injectable, Param, Put } from '@nestjs/common';
import { ShowsPersonalData } from '../../api/access/personal-reads.js';
import { CurrentPrincipal, isMasked, type Principal } from '../../api/access/principal.js';
import type { Answer } from '../../api/envelope/envelope.js';
import { ApiField } from '../../api/validation/api-field.js';
import { IsOneOf } from '../../api/validation/validators.js';
import { ApiOperation } from '../../api/versions/api-operation.js';
import {
  ChangeSource,
  type ContentCriteria,
  type SizeCriteria,
} from '../../ledger/changes/change-source.model.js';
import { RecurringCancelService } from './cancel/recurring-cancel.service.js';
import { presentRecurringPayment } from './recurring-payment.model.js';
import { RecurringService } from './recurring.service.js';

const CANCEL = 'CANCEL';

/** Validates the body of `PUT /v2.0/recurring_payment/{preKey}`. Canceling is the only change. */
class CancelBody {
  @ApiField('The new status. Only `CANCEL` is accepted.', CANCEL)
  @IsOneOf([CANCEL])
  status!: typeof CANCEL;
}

/** Handles GET and PUT of `/v2.0/recurring_payment/{preKey}`. */
@Controller({ path: 'recurring_payment', version: '2.0' })
export class RecurringPaymentsController {
  constructor(
    private readonly recurring: RecurringService,
    private readonly cancels: RecurringCancelService,
  ) {}

  @Get(':preKey')
  @ApiOperation({
    id: 'getRecurringPayment',
    summary: 'Get a recurring payment',
    failures: ['not_found'],
  })
  @ShowsPersonalData('getRecurringPayment', { record: 'preKey' })
  async get(
    @CurrentPrincipal() principal: Principal,
    @Param('preKey') preKey: string,
  ): Promise<Answer> {
    const { user_id } = principal;
    const payment = await this.recurring.paymentOf(user_id, preKey, isMasked(principal));
    return { results: [presentRecurringPayment(payment)] };
  }

  @Put(':preKey')
  @ApiOperation({
    id: 'cancelRecurringPayment',
    summary: 'Cancel a recurring payment',
    description:
      'Canceling a payment again has no effect and returns `canceled: true`. A completed payment cannot be canceled and returns `canceled: false`.',
    failures: ['request_failed', 'not_found'],
  })
  async cancel(
    @CurrentPrincipal() principal: Principal,
    @Param('preKey') preKey: string,
    // The body is validated but not used, because it has only one possible content.
    @Body() _body: CancelBody,
  ): Promise<Answer> {
    return { results: [{ canceled: await this.cancels.cancel(principal, preKey) }] };
  }
}

/**
 * Provides recurring payments to the feed of changes, in the form of API 2.0. Their key is the
 * `preKey`.
 */
@Injectable()
export class RecurringPaymentChangeSource extends ChangeSource {
  readonly kind = 'recurring_payment';

  constructor(private readonly recurring: RecurringService) {
    super();
  }

  override async contentsOf(criteria: ContentCriteria): Promise<ReadonlyMap<string, string>> {
    const payments = await this.recurring.shownPaymentsOf(criteria);
    return new Map(
      payments.map((payment) => [
        payment.pre_key,
        JSON.stringify(presentRecurringPayment(payment)),
      ]),
    );
  }

  override sizesOf({ reader, record_keys }: SizeCriteria): Promise<ReadonlyMap<string, number>> {
    return this.recurring.reads.sizesOf(reader, record_keys);
  }

  override async productsOf({ reader, record_keys }: SizeCriteria) {
    const known = await this.recurring.reads.knownPreKeys(reader, record_keys);
    return new Map(known.map(({ pre_key, product_id }) => [pre_key, product_id]));
  }
}
