import { Global, Module } from '@nestjs/common';
import { ChangesModule } from '../ledger/changes/changes.module.js';
import { AuditModule } from '../modules/audit/index.js';
import { TransactionsModule } from '../modules/transactions/index.js';

/** Lets every extension inject the services of the public surface, without an import of a module. */
@Global()
@Module({
  imports: [AuditModule, ChangesModule, TransactionsModule],
  exports: [AuditModule, ChangesModule, TransactionsModule],
})
export class ExtensionServicesModule {}
