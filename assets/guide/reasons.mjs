import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { get } from './client.mjs';

const WANTED = ['refunded', 'charged_back', 'canceled'];
let after = existsSync('reasons.txt') ? readFileSync('reasons.txt', 'utf8') : '0';
let has_more = true;
while (has_more) {
  const kinds = 'transaction,recurring_payment';
  const { body } = await get(`/ledger/v1/changes?kinds=${kinds}&after=${after}&limit=1000`);
  for (const { kind, reasons = [], [kind]: shown } of body.results) {
    for (const reason of reasons.filter((one) => WANTED.includes(one))) {
      // Act here, so that it does no harm if the same reason comes twice.
      console.log(reason, shown.transaction_id ?? shown.preKey);
    }
  }
  ({ cursor: after, has_more } = body.meta);
  writeFileSync('reasons.txt', after);
}
