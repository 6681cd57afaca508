import { EntitySchema } from 'typeorm';
import { dateTime, key, text, wholeNumber, type Column } from '../../../database/columns.js';

/** An import that has not ended. */
export interface OpenImport {
  readonly id: string;
  /** 0 if its records may be those of any vendor. */
  readonly vendor_id: number;
  /** It is open until then, in UTC, unless its process says otherwise. */
  readonly ends: string;
}

/** How many tombstones a vendor has of people of whom nothing was stored. */
export interface EarlyErasures {
  /** 0 for erasures at all vendors. */
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
