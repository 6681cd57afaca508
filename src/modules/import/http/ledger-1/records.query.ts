import { ApiField } from '../../../../common/validation/api-field.js';
import { IsOneOf } from '../../../../common/validation/validators.js';

export class RecordsQuery {
  @ApiField('`true`: all records or none, at most 2,000 of them.', 'true')
  @IsOneOf(['true', 'false'])
  atomic = 'false';
}
