import { Controller, Get, Query, VERSION_NEUTRAL } from '@nestjs/common';
import { ShowsPersonalData } from '../../../api/access/personal-reads.js';
import { CurrentPrincipal, type Principal } from '../../../api/access/principal.js';
import type { QueryMeta } from '../../../api/envelope/envelope.js';
import { ApiField } from '../../../api/validation/api-field.js';
import { RefusesUnknown } from '../../../api/validation/request-inputs.js';
import { IsShortText } from '../../../api/validation/validators.js';
import { ApiOperation } from '../../../api/versions/api-operation.js';
import { LEDGER_PATH } from '../../../api/versions/api-versions.js';
import { checkFields } from '../../../ledger/reads/masked-filters.js';
import { formatCents } from '../../../platform/values/money.js';
import { formatDateTime } from '../../../platform/values/time.js';
import type { Customer } from './customer.model.js';
import { CustomersService } from './customers.service.js';

@RefusesUnknown()
class QueryCustomersQuery {
  @ApiField(
    'E-mail address of the customer: the whole address, in any letter case.',
    'mara@example.com',
  )
  @IsShortText()
  email!: string;
}

/** Handles the query of customers (docs/queries.md). */
@Controller({ path: LEDGER_PATH, version: VERSION_NEUTRAL })
export class CustomersController {
  constructor(private readonly customers: CustomersService) {}

  @Get('customers')
  @ApiOperation({
    id: 'queryCustomers',
    summary: 'Find a customer',
    description: [
      'Returns what the customer with this e-mail address has bought from you: one result, or none if no transaction and no recurring payment has the address.',
      'Sums are exact and cover all time. Pending transactions are no sales, `refunded` does not include chargebacks, and `seller_earnings` are what is left after refunds and chargebacks. `active_recurring_payments` are those that `GET /ledger/v1/recurring_payments` finds with this `email` and `status=ACTIVE`.',
    ].join('\n\n'),
  })
  @ShowsPersonalData('queryCustomers')
  async query(@CurrentPrincipal() principal: Principal, @Query() { email }: QueryCustomersQuery) {
    checkFields(principal, ['email']);
    const { customer, cursor } = await this.customers.customerWith(principal.user_id, email);
    const results = customer === null ? [] : [presentCustomer(customer)];
    const meta: QueryMeta = {
      total_count: results.length,
      searched_to: null,
      next_cursor: null,
      cursor: String(cursor),
    };
    return { results, meta };
  }
}

function presentCustomer(customer: Customer) {
  const { first_sale_date, last_sale_date } = customer;
  return {
    first_sale_date: first_sale_date && formatDateTime(first_sale_date),
    last_sale_date: last_sale_date && formatDateTime(last_sale_date),
    sales: customer.sales,
    gross: formatCents(customer.gross),
    refunded: formatCents(customer.refunded),
    seller_earnings: formatCents(customer.seller_earnings),
    active_recurring_payments: customer.active_recurring_payments,
  };
}
