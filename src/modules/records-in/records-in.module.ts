import { Feature } from '../../feature.js';
import { AccountsModule } from '../accounts/index.js';
import { AffiliatesModule } from '../affiliates/index.js';
import { AuditModule } from '../audit/index.js';
import { PrivacyModule } from '../privacy/index.js';
import { ProductsModule } from '../products/index.js';
import { RecurringModule } from '../recurring/index.js';
import { TransactionsModule } from '../transactions/index.js';
import { RecordsController } from './records.controller.js';
import { ImportService } from './import.service.js';
import {
  IncomingRecordsService,
  UpstreamRecordsService,
} from './incoming/incoming-records.service.js';
import { RecordSpool } from './incoming/record-spool.js';
import { WriteTurns } from './incoming/write-turns.js';
import { ArrivingPersonalData, RecordServices } from './records/record-services.js';
import { ProductRemovalService } from './records/product-removal.service.js';
import { RecordBatches } from './batches/record-batches.js';

@Feature({
  imports: [
    AccountsModule,
    AffiliatesModule,
    AuditModule,
    PrivacyModule,
    ProductsModule,
    RecurringModule,
    TransactionsModule,
  ],
  controllers: [RecordsController],
  providers: [
    ArrivingPersonalData,
    ImportService,
    IncomingRecordsService,
    RecordBatches,
    RecordServices,
    ProductRemovalService,
    UpstreamRecordsService,
    WriteTurns,
  ],
  exports: [ImportService, ProductRemovalService, UpstreamRecordsService],
  checks: [RecordSpool],
})
export class RecordsInModule {}
