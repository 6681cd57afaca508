import { UnknownAccountError } from '../modules/accounts/account.model.js';
import {
  NotFailingError,
  TooManyEndpointsError,
  UnknownEndpointError,
  UnreadableSecretError,
  UnusableUrlError,
} from '../modules/webhooks/webhook.model.js';
import { WebhookChangesService } from '../modules/webhooks/endpoints/webhook-changes.service.js';
import { WebhooksService } from '../modules/webhooks/endpoints/webhooks.service.js';
import { withServiceExpecting } from './with-service.js';

const EXPECTED = [
  NotFailingError,
  TooManyEndpointsError,
  UnknownAccountError,
  UnknownEndpointError,
  UnreadableSecretError,
  UnusableUrlError,
];

/**
 * Runs a command on webhooks. Exit status 1 reports an endpoint that it cannot find or must not
 * change.
 * @param work returns false for exit status 1
 */
export function withWebhooks(
  work: (webhooks: WebhooksService, changes: WebhookChangesService) => Promise<unknown>,
): Promise<void> {
  return withServiceExpecting(EXPECTED, (services) =>
    work(services.get(WebhooksService), services.get(WebhookChangesService)),
  );
}
