import { dayOf } from '../../common/time.js';
import type { ShownSale } from '../../modules/reports/sale/sale.model.js';
import { Money } from '../reports/figures.view.js';
import { DateTime } from '../ui/date-time.view.js';
import { Status } from './status.view.js';
import { listPath } from './transaction-path.js';

const ID = 'transaction-id';

/** Shows a summary of the transaction, with its id to copy. */
export function SaleHead({ role, sale }: ShownSale) {
  const { transaction_id, sale_date, product_name, amount, status } = sale;
  const day = dayOf(sale_date);
  return (
    <>
      <p>
        <a href={listPath(role, { from: day, to: day })}>
          All transactions of <time>{day}</time>
        </a>
      </p>
      <h1>Transaction</h1>
      <div class="copy">
        <output id={ID}>{transaction_id}</output>
        <button type="button" class="quiet" data-copy={ID} aria-label="Copy the id" hidden>
          Copy
        </button>
      </div>
      <p class="hint" role="status" data-copied={ID} />
      <p class="lead">
        <strong>
          <Money cents={amount} />
        </strong>{' '}
        <Status of={status} /> for {product_name}, <DateTime at={sale_date} isExact />
      </p>
    </>
  );
}
