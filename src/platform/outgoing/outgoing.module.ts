import { Module } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { Metrics } from '../observability/metrics.js';
import { AllowedHosts } from './allowed-hosts.js';
import { HostNames, NameServers } from './host-names.js';
import { OperatorCalls } from './operator-calls.js';
import { OutgoingHttps } from './outgoing-https.js';

@Module({
  providers: [
    {
      provide: HostNames,
      inject: [Settings, Metrics],
      useFactory: ({ nameServers }: Settings, metrics: Metrics) => {
        const names = new HostNames(new NameServers(nameServers));
        const help = 'Look-ups of host names for calls to other servers.';
        metrics.counter('name_lookups_total', help, 'outcome', () => names.counts);
        return names;
      },
    },
    {
      provide: OutgoingHttps,
      inject: [Settings, HostNames],
      useFactory: ({ webhookNetworks }: Settings, names: HostNames) =>
        new OutgoingHttps(new AllowedHosts(webhookNetworks), names),
    },
    {
      provide: OperatorCalls,
      inject: [HostNames],
      useFactory: (names: HostNames) => new OperatorCalls(names),
    },
  ],
  exports: [OperatorCalls, OutgoingHttps],
})
export class OutgoingModule {}
