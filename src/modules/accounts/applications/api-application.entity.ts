import {
  generatedId,
  key,
  longText,
  dateTime,
  optional,
  text,
  wholeNumber,
} from '../../../platform/database/entities/columns.js';
import { entityOf, type EntityRow } from '../../../platform/database/entities/entity-of.js';

/** Each row is an API application, which a user creates to get a key. */
export const ApiApplicationEntity = entityOf({
  name: 'ApiApplication',
  tableName: 'api_applications',
  columns: {
    id: generatedId(),
    /** Id of the user. A source has its vendor's id or ALL_VENDORS. */
    user_id: wholeNumber(),
    name: text(),
    state: text(32),
    /** In UTC, as is `expires`. An application without `expires` does not expire. */
    created: dateTime(),
    expires: optional(dateTime()),
    /**
     * Only these addresses and networks may use its keys, in the format that AddressList reads. Null
     * for any address.
     */
    address_allow_list: optional(longText()),
    /**
     * The application's own limits in the format that parseLimitWindows reads, or null for the
     * default limits.
     */
    limits: optional(text()),
    last_shown: optional(dateTime()),
    access: { ...text(32), default: 'full' },
  },
  indices: [{ name: 'api_applications_by_user', columns: ['user_id'] }],
});
export type StoredApplication = EntityRow<typeof ApiApplicationEntity>;

/**
 * Each row is a key of an application: the current one, or an old one that still works after a
 * rotation.
 */
export const ApiKeyEntity = entityOf({
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
export type ApiKeyRow = EntityRow<typeof ApiKeyEntity>;
