import { EntitySchema } from 'typeorm';
import { dateTime, key, text, wholeNumber, type Column } from '../../../database/columns.js';

/** An open import has not ended. */
export interface OpenImport {
  readonly id: string;
  /** Id of the vendor, or 0 if the records may belong to any vendor. */
  readonly vendor_id: number;
  /** The import is open until this time, in UTC, unless its process ends or extends it. */
  readonly ends: string;
}

/** This row counts a vendor's tombstones of customers without stored data. */
export interface EarlyErasures {
  /** Id of the vendor, or 0 for erasures at all vendors. */
  readonly vendor_id: number;
  readonly tombstones: number;
}

export const OpenImportEntity = new EntitySchema<OpenImport>({
  name: 'OpenImport',
  tableName: 'open_imports',
  columns: {
    id: key(text(36)),
    vendor_id: wholeNumber(),
    ends: dateTime(),
  } satisfies Record<keyof OpenImport, Column>,
});

export const EarlyErasuresEntity = new EntitySchema<EarlyErasures>({
  name: 'EarlyErasures',
  tableName: 'early_erasures',
  columns: {
    vendor_id: key(wholeNumber()),
    tombstones: wholeNumber(),
  } satisfies Record<keyof EarlyErasures, Column>,
});
