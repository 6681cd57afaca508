import { EntitySchema } from 'typeorm';
import { dateTime, flag, key, text, wholeNumber, type Column } from '../../../database/columns.js';
import type { PersonKey, StoredTombstone } from './erased-person.model.js';

export const ErasedPersonEntity = new EntitySchema<StoredTombstone>({
  name: 'ErasedPerson',
  tableName: 'erased_people',
  columns: {
    vendor_id: key(wholeNumber()),
    person: key(text(64)),
    erased_at: dateTime(),
    is_pending: flag(),
  } satisfies Record<keyof StoredTombstone, Column>,
  indices: [{ name: 'erased_people_by_erased_at', columns: ['vendor_id', 'erased_at'] }],
});

export const PersonKeyEntity = new EntitySchema<PersonKey>({
  name: 'PersonKey',
  tableName: 'person_keys',
  columns: {
    id: key(wholeNumber()),
    secret: text(),
  } satisfies Record<keyof PersonKey, Column>,
});
