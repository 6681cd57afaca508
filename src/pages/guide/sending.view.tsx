import { Snippets } from './snippet.view.js';

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
