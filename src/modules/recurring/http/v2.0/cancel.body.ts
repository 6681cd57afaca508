import { ApiField } from '../../../../common/validation/api-field.js';
import { IsOneOf } from '../../../../common/validation/validators.js';

const CANCEL = 'CANCEL';

/** Validates the body of `PUT /v2.0/recurring_payment/{preKey}`. Canceling is the only change. */
export class CancelBody {
  @ApiField('The new status. Only `CANCEL` is accepted.', CANCEL)
  @IsOneOf([CANCEL])
  status!: typeof CANCEL;
}
