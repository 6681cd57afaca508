import { EntitySchema } from 'typeorm';
import {
  dateTime,
  flag,
  key,
  optional,
  text,
  wholeNumber,
  type Column,
} from '../../../database/columns.js';
import type { ErasureFile, PersonKey, StoredTombstone } from './erased-person.model.js';

export const ErasedPersonEntity = new EntitySchema<StoredTombstone>({
  name: 'ErasedPerson',
  tableName: 'erased_people',
  columns: {
    vendor_id: key(wholeNumber()),
    person: key(text(64)),
    erased_at: dateTime(),
    is_pending: flag(),
    number: { ...wholeNumber(), default: 0 },
    numbered_at: optional(dateTime()),
  } satisfies Record<keyof StoredTombstone, Column>,
  indices: [
    { name: 'erased_people_by_erased_at', columns: ['vendor_id', 'erased_at'] },
    { name: 'erased_people_by_number', columns: ['number', 'vendor_id', 'person'] },
    { name: 'erased_people_by_pending', columns: ['is_pending', 'vendor_id', 'person'] },
  ],
});

export const PersonKeyEntity = new EntitySchema<PersonKey>({
  name: 'PersonKey',
  tableName: 'person_keys',
  columns: {
    id: key(wholeNumber()),
    secret: text(),
    last_number: { ...wholeNumber(), default: 0 },
  } satisfies Record<keyof PersonKey, Column>,
});

export const ErasureFileEntity = new EntitySchema<ErasureFile>({
  name: 'ErasureFile',
  tableName: 'erasure_files',
  columns: {
    id: key(text(32)),
    entries: wholeNumber(),
    bytes: wholeNumber(),
    ending: text(64),
    secret: text(),
    through: wholeNumber(),
    seen: dateTime(),
  } satisfies Record<keyof ErasureFile, Column>,
});
