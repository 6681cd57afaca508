import { ApiField } from '../../../api/validation/api-field.js';
import { IsInteger } from '../../../api/validation/validators.js';

const ANY_ID = { min: 0, max: Number.MAX_SAFE_INTEGER } as const;

/** Validates the path parameters of the operations of 2.1 and 2.0 on an affiliate and a product. */
export class RelationshipParams {
  @ApiField('User id of the affiliate.', 2004)
  @IsInteger(ANY_ID)
  affiliate_id!: string;

  @ApiField('Id of your product.', 101)
  @IsInteger(ANY_ID)
  product_id!: string;

  toKey(): { readonly affiliate_id: number; readonly product_id: number } {
    return { affiliate_id: Number(this.affiliate_id), product_id: Number(this.product_id) };
  }
}
