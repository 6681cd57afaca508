import { IsOptional } from 'class-validator';
import { SALES_PAGE_URL_LENGTH } from '../../../ledger/records/user.record.js';
import { ApiField } from '../../../api/validation/api-field.js';
import {
  IsHttpUrl,
  IsOneOf,
  IsText,
  IsInteger,
  type IntegerInput,
} from '../../../api/validation/validators.js';
import {
  APPROVAL_STATUSES,
  PAYOUT,
  PERCENT,
  type TermsUpdate,
  type ApprovalStatus,
} from '../affiliate-terms.model.js';

/** Validates the body that sets a relationship: JSON, or a form, in which numbers are text. */
export class AffiliationUpdateBody {
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
