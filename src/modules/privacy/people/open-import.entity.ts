import { dateTime, key, text, wholeNumber } from '../../../platform/database/entities/columns.js';
import { entityOf, type EntityRow } from '../../../platform/database/entities/entity-of.js';

/** Each row is an import that has not ended. */
export const OpenImportEntity = entityOf({
  name: 'OpenImport',
  tableName: 'open_imports',
  columns: {
    id: key(text(36)),
    /** Id of the vendor, or 0 if the records may belong to any vendor. */
    vendor_id: wholeNumber(),
    /** The import is open until this time, in UTC, unless its process ends or extends it. */
    ends: dateTime(),
  },
});
export type OpenImport = EntityRow<typeof OpenImportEntity>;

/** Each row counts a vendor's tombstones of customers without stored data. */
export const EarlyErasuresEntity = entityOf({
  name: 'EarlyErasures',
  tableName: 'early_erasures',
  columns: {
    /** Id of the vendor, or 0 for erasures at all vendors. */
    vendor_id: key(wholeNumber()),
    tombstones: wholeNumber(),
  },
});
export type EarlyErasures = EntityRow<typeof EarlyErasuresEntity>;
