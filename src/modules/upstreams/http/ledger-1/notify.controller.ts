import { Body, Controller, Get, HttpCode, Param, Post, VERSION_NEUTRAL } from '@nestjs/common';
import { LEDGER_PATH } from '../../../../common/api-versions.js';
import type { Answer } from '../../../../common/envelope/envelope.js';
import { ApiError } from '../../../../common/errors/api-error.js';
import { pathIdOf } from '../../../../common/validation/validators.js';
import { ApiOperation, OpenOperation, LenientBody } from '../../../../routing/api-operation.js';
import { NotificationsService } from '../../registry/notifications.service.js';
import { UnknownUpstreamError, UnusableUpstreamError } from '../../upstream.model.js';
import { NotifyBody, NotifyPath } from './notify.input.js';

/** Receives notifications of upstreams. See docs/mirror.md#notifications. */
@Controller({ path: `${LEDGER_PATH}/upstreams`, version: VERSION_NEUTRAL })
export class UpstreamNotificationsController {
  constructor(private readonly notifications: NotificationsService) {}

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
    return answered(this.notifications.take(pathIdOf(id), token, body));
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
    return answered(this.notifications.check(pathIdOf(id), token));
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
