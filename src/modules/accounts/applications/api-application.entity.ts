import { EntitySchema } from 'typeorm';
import {
  generatedId,
  key,
  longText,
  dateTime,
  optional,
  text,
  wholeNumber,
} from '../../../database/columns.js';
import type { ApiApplication, StoredKey } from '../account.model.js';

export interface ApiApplicationRow extends ApiApplication {
  readonly last_shown: string | null;
}

export interface ApiKeyRow extends StoredKey {
  readonly application_id: number;
  readonly created: string;
  readonly expires: string | null;
  readonly last_used: string | null;
}

/** Each row is an API application, which a user creates to get a key. */
export const ApiApplicationEntity = new EntitySchema<ApiApplicationRow>({
  name: 'ApiApplication',
  tableName: 'api_applications',
  columns: {
    id: generatedId(),
    user_id: wholeNumber(),
    name: text(),
    state: text(32),
    created: dateTime(),
    expires: optional(dateTime()),
    address_allow_list: optional(longText()),
    limits: optional(text()),
    last_shown: optional(dateTime()),
    access: { ...text(32), default: 'full' },
  },
  indices: [{ name: 'api_applications_by_user', columns: ['user_id'] }],
});

/**
 * Each row is a key of an application: the current one, or an old one that still works after a
 * rotation.
 */
export const ApiKeyEntity = new EntitySchema<ApiKeyRow>({
  name: 'ApiKey',
  tableName: 'api_keys',
  columns: {
    key_hash: key(text(64)),
    application_id: wholeNumber(),
    encrypted_key: text(),
    created: dateTime(),
    expires: optional(dateTime()),
    last_used: optional(dateTime()),
  },
  indices: [{ name: 'api_keys_by_application', columns: ['application_id'] }],
});
