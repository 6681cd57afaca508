import { Snippets } from './snippet.view.js';

export function Paging() {
  return (
    <>
      <p>
        A page has at most 200 transactions. <code>page_index</code> starts at 0, and{' '}
        <code>meta.pagination.has_more</code> is true if another page follows.{' '}
        <code>meta.total_count</code> is the number of transactions on all pages. Request large
        pages: one call for 200 transactions costs less than four calls for 50.
      </p>
      <Snippets topic="paging" />
      <p>
        The newest sale comes first. When a sale arrives while you read, the other sales move back
        by one, and you may get a transaction twice. This does no harm if you store transactions by{' '}
        <code>transaction_id</code>. In rare cases, such as a correction that removes a transaction
        from the range, a transaction moves to a page that you have already read. You get it the
        next time you read the range.
      </p>
    </>
  );
}

export function Unchanged() {
  return (
    <>
      <p>
        Transaction endpoints return an <code>ETag</code>: the lists and single transactions of 3.0,
        the details of 2.1, the summaries and <code>latest-transactions</code> of 2.0. Store it with
        the answer, and send it back as <code>If-None-Match</code>. While nothing in your ledger has
        changed, the answer is 304 without a body, and your stored answer is still current. A 304
        counts as a request.
      </p>
      <Snippets topic="etag" />
    </>
  );
}

export function Alternatives() {
  return (
    <>
      <p>
        <a href="#incremental">Exports, changes and webhooks</a> miss nothing. These two ways need
        only the operations of 2.0 and 3.0. Use them with a client that exists already, or if their
        limits do not matter to you.
      </p>
      <h3 id="feed">The feed of 2.0: new sales, quickly</h3>
      <p>
        <code>/v2.0/latest-transactions/{'{paykey}'}</code> returns the sales after the transaction
        with that key, oldest first, 100 at a time. Store the last key, and continue from it. If the
        service does not know the key, it starts from the beginning and sends{' '}
        <code>X-Paykey: unknown</code>, so you may see a transaction twice but never miss one.
      </p>
      <Snippets topic="feed" />
      <p>What the feed misses:</p>
      <ul>
        <li>refunds, chargebacks and every other change of a transaction that you have read;</li>
        <li>
          a sale that reaches the service late, with a date before the last key that you have read.
        </li>
      </ul>
      <h3 id="ranges">Overlapping ranges of 3.0: refunds too</h3>
      <p>
        A transaction is in a range of <code>/v3.0/transactions</code> when it was sold{' '}
        <strong>or refunded</strong> on one of its days. So read the last 60 days regularly, and
        store each transaction by its id, replacing the older version. This way you see new sales,
        late sales, and refunds of sales of any age.
      </p>
      <Snippets topic="ranges" />
      <p>What the ranges miss:</p>
      <ul>
        <li>
          a change other than a refund of a sale that is older than the overlap: a pending sale that
          was completed, a chargeback without a refund, a correction;
        </li>
        <li>
          a sale or a refund that reaches the service when its date is already older than the
          overlap.
        </li>
      </ul>
      <p>
        Choose an overlap that is longer than your data is ever late. Read everything from time to
        time, for example once a month, with a range that starts with your first sale. To show
        current sales, the feed is enough. For bookkeeping, use the changes.
      </p>
    </>
  );
}

export function Subscriptions() {
  return (
    <>
      <p>
        Versions 2.0 and 2.1 call a subscription a recurring payment and identify it by its{' '}
        <code>preKey</code>. Several transactions can belong to one subscription. Find the key in
        one of these places:
      </p>
      <ul>
        <li>
          For one transaction: <code>pre_key</code> in{' '}
          <code>/v2.1/transaction/details/{'{paykey}'}</code>. It is null if the transaction belongs
          to no subscription. 3.0 and the feeds of 2.0 do not show it.
        </li>
        <li>
          For all subscriptions: <code>preKey</code> in{' '}
          <code>/ledger/v1/changes?kinds=recurring_payment</code>, and in the webhook deliveries of
          this kind.
        </li>
        <li>
          In your account: a <a href="/account/subscriptions">subscription</a> has its key in its
          address, and a transaction shows the key of its subscription.
        </li>
      </ul>
      <p>
        <code>GET /v2.0/recurring_payment/{'{preKey}'}</code> returns its status and next payment,
        and <code>PUT</code> with <code>{'{"status":"CANCEL"}'}</code> cancels it.
      </p>
    </>
  );
}
