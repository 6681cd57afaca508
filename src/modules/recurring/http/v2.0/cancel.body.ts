import { ApiField } from '../../../../common/validation/api-field.js';
import { IsOneOf } from '../../../../common/validation/validators.js';

const CANCEL = 'CANCEL';

/** Interface 4.3: the only change to a recurring payment. */
export class CancelBody {
  @ApiField('The new status. Only `CANCEL` is accepted.', CANCEL)
  @IsOneOf([CANCEL])
  status!: typeof CANCEL;
}
