import { Body, Controller, Get, Injectable, Param, Put } from '@nestjs/common';
import { IsOptional } from 'class-validator';
import { CurrentPrincipal, type Principal } from '../../../api/access/principal.js';
import type { Answer } from '../../../api/envelope/envelope.js';
import { ApiField } from '../../../api/validation/api-field.js';
import {
  type IntegerInput,
  IsHttpUrl,
  IsInteger,
  IsOneOf,
  IsText,
} from '../../../api/validation/validators.js';
import { ApiOperation } from '../../../api/versions/api-operation.js';
import { relationshipKey } from '../../../ledger/changes/change.model.js';
import {
  ChangeSource,
  type ContentCriteria,
  type SizeCriteria,
} from '../../../ledger/changes/change-source.model.js';
import { SALES_PAGE_URL_LENGTH } from '../../../ledger/records/user.record.js';
import { formatDateTime } from '../../../platform/values/time.js';
import {
  type AffiliateTerms,
  APPROVAL_STATUSES,
  type ApprovalStatus,
  PAYOUT,
  PERCENT,
  type TermsUpdate,
} from '../affiliate-terms.model.js';
import { AffiliatesService } from '../affiliates.service.js';
import { RelationshipWritesService } from '../relationship-writes.service.js';
import { RelationshipParams } from './relationship.params.js';

/** Validates the body that sets a relationship: JSON, or a form, in which numbers are text. */
class AffiliationUpdateBody {
  @ApiField(
    '`INSTANT` approves the affiliate, `DELAYED` approves with delayed commission payments, `DENIED` denies.',
    'INSTANT',
  )
  @IsOneOf(APPROVAL_STATUSES)
  approval_status!: ApprovalStatus;

  @ApiField("The affiliate's custom commission in percent: 75 means 75 percent.", 75)
  @IsOptional()
  @IsInteger(PERCENT)
  custom_commission?: IntegerInput | null;

  @ApiField("Sales page URL, used only for this affiliate's traffic.", 'https://shop.example/lena')
  @IsOptional()
  @IsHttpUrl(SALES_PAGE_URL_LENGTH)
  custom_sales_page_url?: string | null;

  @ApiField(
    "The affiliate's e-mail address, as an optional check. If it does not match, nothing is changed and the answer is 400.",
    'lena@partners.example',
  )
  @IsOptional()
  @IsText()
  affiliate_verification_email?: string | null;

  @ApiField('Custom payout for the first payment, in the currency of the ledger.', 20)
  @IsOptional()
  @IsInteger(PAYOUT)
  custom_payment_1st_payout?: IntegerInput | null;

  @ApiField('Custom payout for the trial period, in the currency of the ledger.', 5)
  @IsOptional()
  @IsInteger(PAYOUT)
  custom_payment_trial_payout?: IntegerInput | null;

  toUpdate(): TermsUpdate {
    return {
      approval_status: this.approval_status,
      affiliate_verification_email: this.affiliate_verification_email ?? null,
      terms: {
        custom_commission: numberOf(this.custom_commission),
        custom_sales_page_url: this.custom_sales_page_url,
        custom_payment_1st_payout: numberOf(this.custom_payment_1st_payout),
        custom_payment_trial_payout: numberOf(this.custom_payment_trial_payout),
      },
    };
  }
}

/** Returns the number. It keeps absent and null apart, because they have different meanings. */
function numberOf(value: IntegerInput | null | undefined): number | null | undefined {
  return value === null || value === undefined ? value : Number(value);
}

/** Handles GET and PUT of `/v2.1/affiliates/{affiliate_id}/products/{product_id}`. */
@Controller({ path: 'affiliates/:affiliate_id/products/:product_id', version: '2.1' })
export class RelationshipsController {
  constructor(
    private readonly affiliates: AffiliatesService,
    private readonly writes: RelationshipWritesService,
  ) {}

  @Get()
  @ApiOperation({
    id: 'getRelationship',
    summary: 'Get the relationship between an affiliate and a product',
    failures: ['foreign_product', 'not_found'],
  })
  async get(
    @CurrentPrincipal() principal: Principal,
    @Param() params: RelationshipParams,
  ): Promise<Answer> {
    const affiliation = await this.affiliates.termsOf(principal.user_id, params.toKey());
    return { results: [presentAffiliation(affiliation)] };
  }

  @Put()
  @ApiOperation({
    id: 'setRelationship',
    summary: 'Set the relationship between an affiliate and a product',
    description:
      'Creates the relationship, or updates it if it exists. Omitted fields keep their values; null, or an empty value in a form, clears a field. Returns the relationship after the change. For a vendor whose ledger mirrors another service, the change is made there first; if it is not taken there, the answer is 402.',
    failures: ['request_failed', 'foreign_product', 'not_found'],
  })
  async set(
    @CurrentPrincipal() principal: Principal,
    @Param() params: RelationshipParams,
    @Body() body: AffiliationUpdateBody,
  ): Promise<Answer> {
    const affiliation = await this.writes.set(principal, params.toKey(), body.toUpdate());
    return { results: [presentAffiliation(affiliation)] };
  }
}

/** Returns affiliate terms as a relationship of API 2.1. Numbers that are not set are 0. */
export function presentAffiliation(affiliation: AffiliateTerms) {
  return {
    created: formatDateTime(affiliation.created),
    product_id: affiliation.product_id,
    affiliate_id: affiliation.affiliate_id,
    comments: affiliation.comments ?? '',
    status: affiliation.status,
    custom_commission: affiliation.custom_commission ?? 0,
    delayed_commission: affiliation.delayed_commission,
    custom_sales_page_url: affiliation.custom_sales_page_url,
    custom_payment_1st_payout: affiliation.custom_payment_1st_payout ?? 0,
    custom_payment_trial_payout: affiliation.custom_payment_trial_payout ?? 0,
  };
}

/** Approximate size of the JSON of a relationship without its longest texts, in bytes. */
const OTHER_BYTES = 2_048;

/** Provides relationships to the feed of changes, in the form of API 2.1. */
@Injectable()
export class RelationshipChangeSource extends ChangeSource {
  readonly kind = 'relationship';

  constructor(private readonly affiliates: AffiliatesService) {
    super();
  }

  override async contentsOf({ reader, vendor_id, record_keys }: ContentCriteria) {
    const found = await this.affiliates.termsByKeys(reader, vendor_id, keysOf(record_keys));
    return new Map(
      found.map((affiliation) => [
        relationshipKey(affiliation.affiliate_id, affiliation.product_id),
        JSON.stringify(presentAffiliation(affiliation)),
      ]),
    );
  }

  override async sizesOf({ reader, record_keys }: SizeCriteria) {
    const longest = await this.affiliates.reads.longestTextsOf(reader, keysOf(record_keys));
    return new Map(
      longest.map(({ affiliate_id, product_id, bytes }) => [
        relationshipKey(affiliate_id, product_id),
        bytes + OTHER_BYTES,
      ]),
    );
  }

  override productsOf({ record_keys }: SizeCriteria) {
    return Promise.resolve(
      new Map(
        keysOf(record_keys).map(({ affiliate_id, product_id }) => [
          relationshipKey(affiliate_id, product_id),
          product_id,
        ]),
      ),
    );
  }
}

function keysOf(record_keys: readonly string[]) {
  return record_keys.map((record_key) => {
    const [affiliate_id = 0, product_id = 0] = record_key.split('/').map(Number);
    return { affiliate_id, product_id };
  });
}
