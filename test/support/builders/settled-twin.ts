import { basic, envelopeOf, type Answer } from '../http/http.js';
import type { TestService } from '../servers/service.js';
import { addVendorExtras } from '../sql/vendor-extras.js';
import { transaction } from './ledger-records.js';
import type { TestLedger } from './test-ledger.js';
import type { TwinLedger } from './twin-ledgers.js';

export const HOOK = 'https://hooks.example.test/';

/**
 * Imports the records of a vendor whose users and products are stored, and adds everything else
 * that a vendor may have.
 */
export async function settle(
  service: TestService,
  ledger: TestLedger,
  twin: TwinLedger,
  records: readonly object[],
): Promise<void> {
  const { vendor_id } = twin;
  await service.import(records);
  // The sums by tracking field are updated once enough changes wait. This gap makes the next sale
  // reach that number.
  await ledger.run(
    `UPDATE ledger_revisions SET tracked_sequence = -5000 WHERE vendor_id = ${vendor_id}`,
  );
  await service.import([transaction(twin.sale('last'), twin.products[1])]);
  const own = await service.key(vendor_id);
  const made = await write(service, 'POST', '/ledger/v1/webhooks', own, { url: HOOK });
  const id = Number(envelopeOf(made).results[0]?.id);
  await write(service, 'PATCH', `/ledger/v1/webhooks/${id}`, own, { state: 'paused' });
  await addVendorExtras(ledger, vendor_id, id, twin.agreement('com'));
}

/** Sends a request with a key and a JSON body. */
export function write(
  service: TestService,
  method: string,
  path: string,
  key: string,
  body: object,
): Promise<Answer> {
  const headers = { ...basic(key), 'Content-Type': 'application/json' };
  return service.send({ method, path, headers, body: JSON.stringify(body) });
}
