import { Body, Controller, Get, HttpCode, Param, Post, VERSION_NEUTRAL } from '@nestjs/common';
import { LEDGER_PATH } from '../../api/versions/api-versions.js';
import type { Answer } from '../../api/envelope/envelope.js';
import { ApiError } from '../../api/errors/api-error.js';
import { pathIdOf, checkedBy, IsText } from '../../api/validation/validators.js';
import { ApiOperation, OpenOperation, LenientBody } from '../../api/versions/api-operation.js';
import { UpstreamsService } from './upstreams/upstreams.service.js';
import { UnknownUpstreamError, UnusableUpstreamError } from './upstreams/upstream.model.js';
import { ApiField } from '../../api/validation/api-field.js';

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
class NotifyPath {
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
class NotifyBody {
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

/** Receives notifications of upstreams. See docs/mirror.md#notifications. */
@Controller({ path: `${LEDGER_PATH}/upstreams`, version: VERSION_NEUTRAL })
export class UpstreamNotificationsController {
  constructor(private readonly upstreams: UpstreamsService) {}

  @Post(':id/notify/:token')
  @HttpCode(200)
  @OpenOperation()
  @LenientBody()
  @ApiOperation({
    id: 'notifyUpstream',
    summary: 'Notify of a sale at an upstream',
    description:
      'Has one transaction with its details and its recurring payment read from the upstream within seconds. The token in the path takes the place of a key. Of what is sent only the id of the transaction is used.',
    failures: ['not_found'],
  })
  notify(@Param() { id, token }: NotifyPath, @Body() body: NotifyBody): Promise<Answer> {
    return answered(this.upstreams.takeNotification(pathIdOf(id), token, body));
  }

  @Get(':id/notify/:token')
  @OpenOperation()
  @ApiOperation({
    id: 'checkNotifyAddress',
    summary: 'Check the address for notifications',
    description:
      'Tells whether the token in the path, which takes the place of a key, is right, and starts nothing: services call an address before they save it.',
    failures: ['not_found'],
  })
  check(@Param() { id, token }: NotifyPath): Promise<Answer> {
    return answered(this.upstreams.checkToken(pathIdOf(id), token));
  }
}

async function answered(work: Promise<void>): Promise<Answer> {
  try {
    await work;
  } catch (error) {
    // The answer must not reveal that a token cannot be decrypted any more.
    if (error instanceof UnknownUpstreamError || error instanceof UnusableUpstreamError) {
      throw new ApiError('not_found', 'There is no such upstream, or the token is wrong.');
    }
    throw error;
  }
  return { results: [] };
}
