export { ImportService, rejectedOf } from './import.service.js';
export type { RecordResult } from './incoming/incoming.model.js';
export { UpstreamRecordsService } from './incoming/incoming-records.service.js';
export { RecordsInModule } from './records-in.module.js';
export { PRODUCT_ACTIONS } from './records/product-removal.service.js';
