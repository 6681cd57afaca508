import { Feature } from 'vendor-reporting-api/extension';
import { SampleNameController } from './sample-name.controller.js';
import { SampleNameService } from './sample-name.service.js';
import { MIGRATIONS, SampleNameEntity } from './sample-name.table.js';

@Feature({
  controllers: [SampleNameController],
  providers: [SampleNameService],
  // Pages and commands use the exported services.
  exports: [SampleNameService],
  entities: [SampleNameEntity],
  migrations: MIGRATIONS,
  // A text may name the customer, so it is erased with the sale's customer, and masked.
  personalTables: [
    { entity: SampleNameEntity, by: 'transaction', key: 'transaction_id', columns: { text: '' } },
  ],
})
export class SampleNameModule {}
