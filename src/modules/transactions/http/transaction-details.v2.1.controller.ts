import { Controller, Get, Param } from '@nestjs/common';
import { ShowsPersonalData } from '../../../api/access/personal-reads.js';
import { CurrentPrincipal, isMasked, type Principal } from '../../../api/access/principal.js';
import { TaggedByRevision } from '../../../api/cache/conditional-get.interceptor.js';
import type { AnswerAtRevision } from '../../../api/cache/revision-source.js';
import { ApiOperation } from '../../../api/versions/api-operation.js';
import { DELIVERY_COLUMNS } from '../../../ledger/columns.js';
import { STATUS_OF_2 } from '../../../ledger/reads/transaction.model.js';
import {
  PAYOUT_ITEM_TEXTS,
  type PayoutItemRecord,
} from '../../../ledger/records/transaction.record.js';
import { formatCents, formatDecimal, MILLIONTHS } from '../../../platform/values/money.js';
import { recordOf } from '../../../platform/values/record-of.js';
import type { TransactionDetail } from '../list/transaction-feed.model.js';
import { TransactionFeedsService } from '../list/transaction-feeds.service.js';

/** Handles `GET /v2.1/transaction/details/{paykey}`. */
@Controller({ path: 'transaction/details', version: '2.1' })
export class TransactionDetailsController {
  constructor(private readonly transactions: TransactionFeedsService) {}

  @Get(':paykey')
  @ApiOperation({
    id: 'getTransactionDetail',
    summary: 'Get the details of a transaction',
    failures: ['not_found'],
  })
  @TaggedByRevision()
  @ShowsPersonalData('getTransactionDetail', { record: 'paykey' })
  async get(
    @CurrentPrincipal() principal: Principal,
    @Param('paykey') paykey: string,
  ): Promise<AnswerAtRevision> {
    const { user_id } = principal;
    const detail = await this.transactions.detail(user_id, paykey, isMasked(principal));
    return { revision: detail.revision, results: [presentTransactionDetail(detail)] };
  }
}

/** Returns the details of a transaction as API 2.1 shows them. An unknown text is empty. */
export function presentTransactionDetail(detail: TransactionDetail) {
  return {
    date: detail.sale_date,
    product_name: detail.product_name,
    product_id: String(detail.product_id),
    status: STATUS_OF_2[detail.status],
    total: formatCents(detail.amount),
    pre_key: detail.pre_key,
    tid: detail.tid,
    vtid: detail.vtid,
    tax_total: formatCents(detail.tax_total ?? 0),
    international_sales_tax: numberOf(detail.international_sales_tax),
    national_sales_tax: numberOf(detail.national_sales_tax),
    vat_tax: numberOf(detail.vat_tax),
    shipping_fee: formatDecimal(detail.shipping_fee ?? 0, MILLIONTHS),
    processor_email: detail.processor_email,
    vendor_id: String(detail.vendor_id),
    vendor_name: detail.vendor_name,
    vendor_email: detail.vendor_email,
    affiliate_id: String(detail.affiliate_id ?? ''),
    affiliate_name: detail.affiliate_name ?? '',
    affiliate_email: detail.affiliate_email ?? '',
    customer_first_name: detail.customer_first_name,
    customer_last_name: detail.customer_last_name,
    customer_email: detail.customer_email,
    customer_ip: detail.customer_ip ?? '',
    customer_phone: detail.customer_phone ?? '',
    ...recordOf(DELIVERY_COLUMNS, (column) => detail[column] ?? ''),
    transactionPayouts: detail.payout_items.map(presentPayoutItem),
  };
}

function presentPayoutItem(item: PayoutItemRecord) {
  return {
    payee_amount: formatCents(item.payee_amount),
    payee_user_id: String(item.payee_user_id),
    ...recordOf(PAYOUT_ITEM_TEXTS, (name) => item[name]),
  };
}

/** Returns an amount as a JSON number, which the API requires in these fields. */
function numberOf(cents: number | null): number {
  return Number(formatCents(cents ?? 0));
}
