import { Snippets } from './snippet.view.js';

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
