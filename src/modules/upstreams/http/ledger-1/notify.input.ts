import { ApiField } from '../../../../common/validation/api-field.js';
import { checkedBy, IsText } from '../../../../common/validation/validators.js';

/** Accepts any value: notifications of other services are never rejected for their fields. */
const IsNotified = (): PropertyDecorator =>
  checkedBy({
    name: 'isNotified',
    says: 'the id of a transaction',
    schema: { type: 'string' },
    isOptional: true,
    validate: () => true,
  });

/** Holds the parameters in the path of an address for notifications. */
export class NotifyPath {
  @ApiField('Id of the upstream.', '1')
  @IsText()
  id!: string;

  @ApiField('Token of the upstream, in place of a key.', 'A'.repeat(32))
  @IsText()
  token!: string;
}

/**
 * Holds the fields of a notification that may contain the id of a transaction. The first that does
 * is used.
 */
export class NotifyBody {
  readonly [field: string]: unknown;

  @ApiField('Id of a transaction.', 'PA-EXAMPLE-1')
  @IsNotified()
  paykey?: unknown;

  @ApiField('Id of a transaction.', 'PA-EXAMPLE-1')
  @IsNotified()
  transaction_id?: unknown;

  @ApiField('Id of a transaction.', 'PA-EXAMPLE-1')
  @IsNotified()
  ctranspaymentkey?: unknown;

  @ApiField('Id of a transaction.', 'PA-EXAMPLE-1')
  @IsNotified()
  ctransreceipt?: unknown;
}
