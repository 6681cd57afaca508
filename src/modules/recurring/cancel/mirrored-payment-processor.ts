import { ProductsService } from '../../products/index.js';
import { UpstreamWritesService } from '../../mirror/index.js';
import { PaymentProcessor, type CancelOrder, type CancelOutcome } from './payment-processor.js';

/**
 * Cancels subscriptions of mirrored vendors at their upstream, which charges the customer. It
 * passes all others on to the configured processor.
 */
export class MirroredPaymentProcessor extends PaymentProcessor {
  constructor(
    private readonly others: PaymentProcessor,
    private readonly products: ProductsService,
    private readonly upstreams: UpstreamWritesService,
  ) {
    super();
  }

  async cancel(order: CancelOrder, idempotencyKey: string): Promise<CancelOutcome> {
    const [product] = await this.products.productsByIds([order.product_id]);
    const outcome =
      product === undefined ? null : await this.upstreams.cancel(product.vendor_id, order.pre_key);
    if (outcome === null) return this.others.cancel(order, idempotencyKey);
    if (outcome === 'taken') return 'accepted';
    return outcome === 'refused' ? 'rejected' : 'unknown';
  }
}
