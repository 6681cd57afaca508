import { Body, Controller, HttpCode, Param, Post, VERSION_NEUTRAL } from '@nestjs/common';
import { LEDGER_PATH } from '../../../../common/api-versions.js';
import type { Answer } from '../../../../common/envelope/envelope.js';
import { ApiError } from '../../../../common/errors/api-error.js';
import { pathIdOf } from '../../../../common/validation/path-id.js';
import { ApiOperation } from '../../../../routing/api-operation.js';
import { LenientBody } from '../../../../routing/lenient-body.js';
import { OpenOperation } from '../../../../routing/open-operation.js';
import { NotificationsService } from '../../registry/notifications.service.js';
import { UnknownUpstreamError, UnusableUpstreamError } from '../../upstream.model.js';
import { NotifyBody, NotifyPath } from './notify.input.js';

/** Notifications of upstreams (ledger interface, Upstreams). */
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
      'Has one transaction read from the upstream within seconds. The token in the path takes the place of a key. Of what is sent only the id of the transaction is used.',
    failures: ['not_found'],
  })
  async notify(@Param() { id, token }: NotifyPath, @Body() body: NotifyBody): Promise<Answer> {
    try {
      await this.notifications.take(pathIdOf(id), token, body);
    } catch (error) {
      // A token that cannot be decrypted any more is no different for strangers.
      if (error instanceof UnknownUpstreamError || error instanceof UnusableUpstreamError) {
        throw new ApiError('not_found', 'There is no such upstream, or the token is wrong.');
      }
      throw error;
    }
    return { results: [] };
  }
}
