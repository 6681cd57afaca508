import { Controller, Get, Query, VERSION_NEUTRAL } from '@nestjs/common';
import { IsOptional } from 'class-validator';
import { ShowsPersonalData } from '../../../api/access/personal-reads.js';
import { CurrentPrincipal, type Principal } from '../../../api/access/principal.js';
import type { QueryMeta } from '../../../api/envelope/envelope.js';
import { ApiError } from '../../../api/errors/api-error.js';
import { ApiField } from '../../../api/validation/api-field.js';
import { RefusesUnknown } from '../../../api/validation/request-inputs.js';
import { IsShortText } from '../../../api/validation/validators.js';
import { ApiOperation } from '../../../api/versions/api-operation.js';
import { LEDGER_PATH } from '../../../api/versions/api-versions.js';
import { QueryPageParams } from '../../../ledger/reads/query-page.params.js';
import { checkFields } from '../../../ledger/reads/masked-filters.js';
import { formatCents } from '../../../platform/values/money.js';
import { formatDateTime } from '../../../platform/values/time.js';
import type { Customer } from './customer.model.js';
import { CustomersService } from './customers.service.js';

@RefusesUnknown()
class QueryCustomersQuery extends QueryPageParams {
  @ApiField(
    'E-mail address of the customer: the whole address, in any letter case. Either this or `name`.',
    'mara@example.com',
  )
  @IsOptional()
  @IsShortText()
  email?: string;

  @ApiField(
    'Beginning of the first or last name, in any letter case, or the beginnings of both with a space between them.',
    'mara',
  )
  @IsOptional()
  @IsShortText()
  name?: string;
}

const ONE = ['invalid_parameters', 'Send either email or name.'] as const;

/** Handles the query of customers (docs/queries.md). */
@Controller({ path: LEDGER_PATH, version: VERSION_NEUTRAL })
export class CustomersController {
  constructor(private readonly customers: CustomersService) {}

  @Get('customers')
  @ApiOperation({
    id: 'queryCustomers',
    summary: 'Find customers',
    description: [
      'With `email`, returns what the customer with this e-mail address has bought from you: one result, or none if no transaction and no recurring payment has the address. With `name`, lists the customers whose first or last name begins with it, first those by first name, in pages; a customer whose transactions have several such names is listed once for each. Send one of the two.',
      'Sums are exact and cover all time. Pending transactions are no sales, `refunded` does not include chargebacks, and `seller_earnings` are what is left after refunds and chargebacks. `active_recurring_payments` are those that `GET /ledger/v1/recurring_payments` finds with this `email` and `status=ACTIVE`. With `email`, the name is that of the latest transaction.',
    ].join('\n\n'),
  })
  @ShowsPersonalData('queryCustomers')
  async query(@CurrentPrincipal() principal: Principal, @Query() query: QueryCustomersQuery) {
    const { email, name, limit, after = null } = query;
    checkFields(principal, email === undefined ? ['first_name', 'last_name'] : ['email']);
    if ((email === undefined) === (name === undefined)) throw new ApiError(...ONE);
    if (name === undefined) return this.one(principal.user_id, email ?? '');
    const request = { vendor_id: principal.user_id, name, limit: Number(limit), after };
    const { customers, meta } = await this.customers.page(request);
    return { results: customers.map(presentCustomer), meta };
  }

  private async one(vendor_id: number, email: string) {
    const { customer, cursor } = await this.customers.customerWith(vendor_id, email);
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
    email: customer.email,
    first_name: customer.first_name,
    last_name: customer.last_name,
    first_sale_date: first_sale_date && formatDateTime(first_sale_date),
    last_sale_date: last_sale_date && formatDateTime(last_sale_date),
    sales: customer.sales,
    gross: formatCents(customer.gross),
    refunded: formatCents(customer.refunded),
    seller_earnings: formatCents(customer.seller_earnings),
    active_recurring_payments: customer.active_recurring_payments,
  };
}
