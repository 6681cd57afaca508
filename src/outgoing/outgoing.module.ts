import { lookup } from 'node:dns';
import { Module } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { AllowedHosts } from './allowed-hosts.js';
import { OutgoingHttps } from './outgoing-https.js';

@Module({
  providers: [
    {
      provide: OutgoingHttps,
      inject: [Settings],
      useFactory: ({ webhookNetworks }: Settings) =>
        new OutgoingHttps(
          new AllowedHosts(webhookNetworks, (name, done) => {
            lookup(name, { all: true, verbatim: true }, done);
          }),
        ),
    },
  ],
  exports: [OutgoingHttps],
})
export class OutgoingModule {}
