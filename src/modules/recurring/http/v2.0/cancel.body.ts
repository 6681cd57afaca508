import { IsOneOf } from '../../../../common/validation/validators.js';

const CANCEL = 'CANCEL';

/** Interface 4.3: the one change that can be asked of a recurring payment. */
export class CancelBody {
  @IsOneOf([CANCEL])
  status!: typeof CANCEL;
}
