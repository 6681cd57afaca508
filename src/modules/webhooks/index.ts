export { WebhooksService } from './webhooks.service.js';
