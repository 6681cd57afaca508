import { AddressList } from '../../common/address-list.js';
import type { SettingSource } from '../read-value.js';

/**
 * Reads WEBHOOK_NETWORKS, which webhooks and upstreams may reach in addition to public addresses;
 * null for none.
 */
export function readWebhookNetworks(source: SettingSource): AddressList | null {
  const text = source.valueOf('WEBHOOK_NETWORKS');
  if (text === undefined) return null;
  const networks = AddressList.parse(text);
  if (networks !== null) return networks;
  return source.invalid(
    'WEBHOOK_NETWORKS',
    'must be addresses and networks with commas between',
    '10.20.0.0/16',
    null,
  );
}
