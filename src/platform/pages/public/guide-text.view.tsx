import { Snippets } from './snippets.view.js';

const ENVIRONMENT = `export BASE_URL=https://reports.example
export API_KEY=vra_your_key`;

export function FirstCall() {
  return (
    <>
      <p>
        You need an API key: <a href="/account/applications">create an API application</a> in your
        account. Send the key as the user name of HTTP Basic authentication, with the password{' '}
        <code>x</code>. Keep it secret: it gives access to all your data. The snippets read the key
        and the address of this service from two environment variables:
      </p>
      <pre class="shell" tabindex={0} role="group" aria-label="Environment variables">
        <code>{ENVIRONMENT}</code>
      </pre>
      <p>
        This call lists the transactions of June 2025 and shows the newest one. If it succeeds, your
        key works.
      </p>
      <Snippets topic="first-call" />
      <p>
        Every response has the same envelope: <code>meta</code> describes the outcome, and{' '}
        <code>results</code> is a list of the data. Amounts are decimal text such as{' '}
        <code>"47.00"</code>: use a decimal type, never floating-point numbers. Date-times are in
        UTC.
      </p>
      <p class="hint">
        The snippets run with curl 7.76 and jq, Node.js 20, Python 3.9 without further packages, PHP
        8 with its curl extension, or newer versions.
      </p>
    </>
  );
}

export function Errors() {
  return (
    <>
      <p>
        An error has an HTTP status of 400 or more. The internal <code>code</code> in{' '}
        <code>meta.status</code> is more specific: base your error handling on it.{' '}
        <code>detail</code> is for people: it names every problem and how to fix it. In this call
        the end date is before the start date:
      </p>
      <Snippets topic="error" />
      <ul>
        <li>
          <code>4000</code>, <code>4001</code>: the request is invalid. Do not retry it.
        </li>
        <li>
          <code>4010</code>, <code>4011</code>, <code>4012</code>, <code>4030</code>,{' '}
          <code>4031</code>: the key is missing, invalid or lacks access. Stop and alert a person.
        </li>
        <li>
          <code>4040</code>: not found, or not yours.
        </li>
        <li>
          <code>4290</code>, and <code>5000</code> with a <code>Retry-After</code> header: wait,
          then send the same request again.
        </li>
      </ul>
      <p>
        The service ignores unknown parameters and lists them in the header{' '}
        <code>X-Ignored-Parameters</code>. Check it when a parameter has no effect. When you ask for
        help, quote <code>X-Request-Id</code>: it identifies the call in the log of the service.
      </p>
    </>
  );
}

export function Limits() {
  return (
    <>
      <p>
        By default an API application may send 50 requests a second and 3,000 a minute; your
        operator may have set other limits. Every response has headers with your limits:{' '}
        <code>X-RateLimit-Remaining</code> is the number of requests left,{' '}
        <code>X-RateLimit-Reset</code> is the seconds until the limit resets, and{' '}
        <code>RateLimit</code> has both for each limit.
      </p>
      <p>
        The service delays a request over the limit by up to one second. If it would have to wait
        longer, the answer is 429 with <code>Retry-After</code> in whole seconds. Wait that long,
        then send the same request again. An earlier retry fails again.
      </p>
      <p>
        This small client waits and retries a limited number of times, and throws an exception for
        every other error. The snippets below use it, so save it first.
      </p>
      <Snippets topic="client" />
    </>
  );
}

/**
 * A single curl command, without snippets in other languages, because an endpoint is created once
 * and by hand.
 */
const CREATE_WEBHOOK = `curl -u "$API_KEY:x" -H 'Content-Type: application/json' \\
  -d '{"url":"https://shop.example/hook"}' "$BASE_URL/ledger/v1/webhooks"`;

export function KeepingUp() {
  return (
    <>
      <p>
        To keep a copy of your ledger up to date, load it once with an export, then read the changes
        since that export. The changes are complete: new sales, refunds, chargebacks and corrections
        of sales of any age, subscriptions, affiliate terms and products. A webhook tells you about
        a change within seconds.
      </p>
      <h3 id="export">First: an export</h3>
      <p>
        An export is one file with all your transactions from one state of the ledger, whatever is
        written meanwhile. <code>X-Ledger-Cursor</code> marks that state, and{' '}
        <code>X-Ledger-Count</code> is the number of transactions. Each line of{' '}
        <code>transactions.ndjson</code> is a transaction as 3.0 shows it; the same data is also
        available as <code>transactions.csv</code> and <code>transactions.parquet</code>.
      </p>
      <Snippets topic="export" />
      <p>
        An export that cannot be finished is cut off, and some proxies do not tell your client so.
        So the snippet compares the number of lines with <code>X-Ledger-Count</code>; if a line is
        missing, it fails and writes no cursor: run it again.
      </p>
      <h3 id="changes">Then: the changes</h3>
      <p>
        <code>/ledger/v1/changes</code> returns what changed after a cursor, oldest change first.
        Ask again with <code>meta.cursor</code> until <code>meta.has_more</code> is false; then you
        have the ledger as it was at that cursor. Cursors never expire. Run this snippet as often as
        you like:
      </p>
      <Snippets topic="changes" />
      <ChangesRules />
      <Webhooks />
    </>
  );
}

function ChangesRules() {
  return (
    <>
      <p>Store each object under its kind and its key:</p>
      <ul>
        <li>
          <code>transaction</code>, as 3.0 shows it: <code>transaction_id</code>
        </li>
        <li>
          <code>recurring_payment</code>, as 2.0 shows it: <code>preKey</code>
        </li>
        <li>
          <code>relationship</code>, the terms of an affiliate as 2.1 shows them:{' '}
          <code>affiliate_id</code> with <code>product_id</code>
        </li>
        <li>
          <code>product</code>: <code>product_id</code>
        </li>
        <li>
          <code>affiliate</code>, with the current <code>display_name</code>: <code>id</code>. A
          renamed affiliate is one change of this kind; its transactions do not change.
        </li>
      </ul>
      <p>These rules keep your copy complete:</p>
      <ul>
        <li>
          Store the cursor after the data, or both in one transaction of your database. After a
          crash you may then get a change twice, but never miss one.
        </li>
        <li>
          Each object is in the feed once, at its latest change, as it is now. If it changes twice
          between two calls, you get the second state only.
        </li>
        <li>
          An export contains transactions only. Read everything else once with{' '}
          <code>?kinds=recurring_payment,relationship,product,affiliate</code>, and go on from the
          cursor of the export. Without a cursor, the snippet above loads the whole ledger.
        </li>
        <li>
          If the service does not know a cursor, the error is <code>4001</code>: the service was
          restored from a backup, or it has another ledger. Start again.
        </li>
        <li>
          With <code>wait=20</code> the service waits up to 20 seconds for a change before it sends
          an empty answer.
        </li>
      </ul>
      <p class="hint">
        The source code of this service has complete followers in JavaScript and Python, which keep
        a copy in SQLite: see <code>docs/changes.md</code>.
      </p>
    </>
  );
}

function Webhooks() {
  return (
    <>
      <h3 id="webhooks">Webhooks: receive changes as they happen</h3>
      <p>
        With a webhook you need no schedule: the service sends the same changes to a URL of yours,
        in the same order, within seconds. Create an endpoint on{' '}
        <a href="/account/webhooks">your account pages</a>, or with this call and a key of{' '}
        <code>full</code> access:
      </p>
      <pre class="shell" tabindex={0} role="group" aria-label="Create a webhook endpoint">
        <code id="create-webhook">{CREATE_WEBHOOK}</code>
      </pre>
      <ul>
        <li>
          The answer contains the <code>secret</code> that verifies deliveries. They are signed as{' '}
          <a href="https://www.standardwebhooks.com/">Standard Webhooks</a>.
        </li>
        <li>
          Answer with a status from 200 to 299 within 15 seconds. Otherwise the service sends the
          same changes again, after 5 seconds at first, then at growing intervals of up to an hour.
        </li>
        <li>
          A delivery can arrive twice, with the same <code>webhook-id</code>. Store its{' '}
          <code>data.changes</code> like the results of <code>/ledger/v1/changes</code>;{' '}
          <code>data.cursor</code> is a cursor for that call, too.
        </li>
      </ul>
      <p class="hint">
        The source code of this service has receivers in JavaScript, Python and PHP: see{' '}
        <code>docs/webhooks.md</code>. Its section “Try a webhook on this machine” shows how to test
        one before it has a public address.
      </p>
    </>
  );
}

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

export function Sending() {
  return (
    <>
      <p>
        A sales system can hand over each sale as it is made, with{' '}
        <code>POST /ledger/v1/records</code>. The records are those of the ledger file, one on each
        line. The key is that of a source: the operator of this service creates it, and it can do
        nothing else.
      </p>
      <p>
        The answer has a verdict for each record. What is answered is stored. A rejected record
        holds back no other; its problem says how to fix it.
      </p>
      <p>These rules keep a sender simple and lose nothing:</p>
      <ul>
        <li>
          Write a sale to your own outbox first, here the file <code>sales.ndjson</code>, and remove
          it when its verdict has arrived.
        </li>
        <li>
          Without an answer, or after 429 and 500, wait and send the same records again. Nobody can
          know what was stored before a connection broke, and records that are sent twice change
          nothing.
        </li>
        <li>
          Wait as long as <code>Retry-After</code> says. Without it, wait longer each time, and not
          always the same time, so that many senders do not come back together.
        </li>
        <li>Never repeat any other error: it would come again.</li>
        <li>
          A record that refers to something unknown is rejected. Send it again when that is stored.
        </li>
        <li>
          If changes can overtake each other, give each record a <code>record_version</code> that
          rises with each change. A record older than the stored one is <code>stale</code> and
          changes nothing.
        </li>
      </ul>
      <Snippets topic="send" />
    </>
  );
}
