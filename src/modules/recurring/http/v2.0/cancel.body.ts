import { IsIn } from 'class-validator';

const CANCEL = 'CANCEL';

/** Interface 4.3: the one change that can be asked of a recurring payment. */
export class CancelBody {
  @IsIn([CANCEL], { message: `must be ${CANCEL}` })
  status!: typeof CANCEL;
}
