import { Resolver } from 'node:dns';
import { AddressList } from '../../platform/values/address-list.js';
import type { SettingSource } from '../read-value.js';

/**
 * Reads NAME_SERVERS, the name servers for calls to other servers; empty for those of the system.
 */
export function readNameServers(source: SettingSource): readonly string[] {
  const text = source.valueOf('NAME_SERVERS');
  if (text === undefined) return [];
  const servers = text.split(',').map((server) => server.trim());
  try {
    new Resolver().setServers(servers);
    return servers;
  } catch {
    const problem = 'must be addresses of name servers, with a port if needed, with commas between';
    return source.invalid('NAME_SERVERS', problem, '10.0.0.53,[fd00::53]:5353', []);
  }
}

/**
 * Reads WEBHOOK_NETWORKS, which webhooks and upstreams may reach in addition to public addresses;
 * null for none.
 */
export function readWebhookNetworks(source: SettingSource): AddressList | null {
  const text = source.valueOf('WEBHOOK_NETWORKS');
  if (text === undefined) return null;
  const problem = 'must be addresses and networks with commas between';
  return (
    AddressList.parse(text) ?? source.invalid('WEBHOOK_NETWORKS', problem, '10.20.0.0/16', null)
  );
}
