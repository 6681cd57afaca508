import { Module, type DynamicModule } from '@nestjs/common';
import { AccessModule } from './access/access.module.js';
import { ConfigModule } from './config/config.module.js';
import type { Settings } from './config/settings.js';
import { DatabaseModule } from './database/database.module.js';
import { ENTITIES } from './entities.js';
import { AccountsModule } from './modules/accounts/accounts.module.js';
import { AffiliatesModule } from './modules/affiliates/affiliates.module.js';
import { DemoModule } from './modules/demo/demo.module.js';

import { LedgerModule } from './modules/ledger/ledger.module.js';
import { ProductsModule } from './modules/products/products.module.js';
import { RecurringModule } from './modules/recurring/recurring.module.js';
import { TransactionsModule } from './modules/transactions/transactions.module.js';
import { RoutingModule } from './routing/routing.module.js';

/** Wiring only: what the service consists of. */
@Module({})
export class AppModule {
  static of(settings: Settings): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.of(settings),
        DatabaseModule.forEntities(ENTITIES),
        AccessModule,
        AccountsModule,
        ProductsModule,
        AffiliatesModule,
        RecurringModule,
        TransactionsModule,
        LedgerModule,
        DemoModule,
        RoutingModule,
      ],
    };
  }
}
