import { Snippets } from './snippet.view.js';

export function Paging() {
  return (
    <>
      <p>
        A list comes in pages of up to 200. <code>page_index</code> counts from 0, and{' '}
        <code>meta.pagination.has_more</code> says whether another page follows.{' '}
        <code>meta.total_count</code> counts the whole list. Ask for large pages: 200 transactions
        in one call cost less than four calls of 50.
      </p>
      <Snippets topic="paging" />
      <p>
        The newest sale comes first. When a sale arrives while you page, the later ones move on by
        one, and a transaction can come twice. Keep transactions by their{' '}
        <code>transaction_id</code>, and that does no harm. In rare cases, such as a correction that
        takes a transaction out of the range, one can move onto a page that you have read already:
        it comes with your next reading.
      </p>
    </>
  );
}

export function Unchanged() {
  return (
    <>
      <p>
        What reads your transactions has an <code>ETag</code>: the lists and the single transactions
        of 3.0, the details of 2.1, the summaries and <code>latest-transactions</code> of 2.0. Keep
        it with the answer, and send it back as <code>If-None-Match</code>. As long as nothing in
        your ledger has changed, the answer is 304 without a body, and yours is still right. A 304
        counts as a request.
      </p>
      <Snippets topic="etag" />
    </>
  );
}

export function Incremental() {
  return (
    <>
      <p>There are two ways to read what is new. Neither sees everything.</p>
      <h3 id="feed">The feed of 2.0: new sales, quickly</h3>
      <p>
        <code>/v2.0/latest-transactions/{'{paykey}'}</code> answers what was sold after the
        transaction with that key, oldest first, 100 at a time. Keep the last key, and go on from
        there. Where the service does not know the key, it answers from the start and says{' '}
        <code>X-Paykey: unknown</code>: you see a transaction twice rather than never.
      </p>
      <Snippets topic="feed" />
      <p>What the feed misses:</p>
      <ul>
        <li>refunds, chargebacks and every other change of a transaction that you have read;</li>
        <li>a sale that reaches the service late, with a date before the place where you are.</li>
      </ul>
      <h3 id="ranges">Ranges of 3.0 that overlap: refunds too</h3>
      <p>
        A transaction is in a range of <code>/v3.0/transactions</code> when it was sold{' '}
        <strong>or refunded</strong> on one of its days. So read the last 60 days, again and again,
        and keep each transaction under its id: what comes again replaces what you had. This sees
        new sales, late ones, and the refund of a sale however old.
      </p>
      <Snippets topic="ranges" />
      <p>What the ranges miss:</p>
      <ul>
        <li>
          a change other than a refund of a sale that is older than the overlap: a pending one that
          was settled, a chargeback without a refund, a correction;
        </li>
        <li>
          a sale or a refund that reaches the service when its date is already older than the
          overlap.
        </li>
      </ul>
      <p>
        Choose the overlap longer than your data is ever late, and read everything once in a while,
        such as once a month, with a range that begins with your first sale. For current sales on a
        screen the feed is enough; for bookkeeping, use the ranges.
      </p>
    </>
  );
}
