import {
  dateTime,
  flag,
  generatedId,
  key,
  longText,
  optional,
  text,
  wholeNumber,
} from '../../platform/database/entities/columns.js';
import { entityOf, type EntityRow } from '../../platform/database/entities/entity-of.js';

/** Each row of `users` is a vendor, an affiliate or both. */
export const UserEntity = entityOf({
  name: 'User',
  tableName: 'users',
  columns: {
    id: key(wholeNumber()),
    name: text(),
    email: text(),
    /**
     * E-mail that the user signs in with, in lower case. No record changes it if the user has a
     * password.
     */
    sign_in_email: { ...text(), default: '' },
    display_name: optional(text()),
    /** Unused column. */
    processor_email: { ...text(), default: '' },
    status: text(32),
    record_version: optional(wholeNumber()),
    source_vendor_id: optional(wholeNumber()),
    /** Null for users of the operator, and for users of a source who were not admitted. */
    admitted: optional(text(16)),
  },
  indices: [
    { name: 'users_by_sign_in_email', columns: ['sign_in_email'] },
    {
      name: 'users_by_source',
      columns: ['source_vendor_id', 'id'],
      // Only SQLite supports partial indexes.
      where: 'source_vendor_id IS NOT NULL',
    },
  ],
});
export type StoredUser = EntityRow<typeof UserEntity>;

/** Columns that a user is read from, without those that decide how the row may be changed. */
export const USER_COLUMNS = ['id', 'name', 'email', 'display_name', 'status'] as const;

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
     * Only these addresses and networks may use its keys, in the format that AddressList reads.
     * Null for any address.
     */
    address_allow_list: optional(longText()),
    /**
     * The application's own limits in the format that parseLimitWindows reads, or null for the
     * default limits.
     */
    limits: optional(text()),
    last_shown: optional(dateTime()),
    access: { ...text(32), default: 'full' },
    /** 1 if assistants may change data with its keys over MCP, which needs the access `full`. */
    mcp_writes: { ...flag(), default: 0 },
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

/**
 * Each row is a user as the source or upstream of a vendor knows it. It exists only if the source
 * sent a record after the user existed. No other vendor sees its names and its e-mail.
 */
export const VendorUserEntity = entityOf({
  name: 'VendorUser',
  tableName: 'vendor_users',
  columns: {
    vendor_id: key(wholeNumber()),
    user_id: key(wholeNumber()),
    name: text(),
    email: text(),
    display_name: optional(text()),
    /** Version of the record that the data is from, or null. */
    record_version: optional(wholeNumber()),
  },
  indices: [{ name: 'vendor_users_by_user', columns: ['user_id'] }],
});
export type VendorUserRow = EntityRow<typeof VendorUserEntity>;

/**
 * Each row is an affiliate that a record of the operator gave to a vendor by a sale, affiliate
 * terms or clicks.
 */
export const VendorAffiliateEntity = entityOf({
  name: 'VendorAffiliate',
  tableName: 'vendor_affiliates',
  columns: { vendor_id: key(wholeNumber()), affiliate_id: key(wholeNumber()) },
});
export type VendorAffiliate = EntityRow<typeof VendorAffiliateEntity>;

/**
 * Each row is a password for the account pages. It is not in `users`, because an import replaces
 * rows there.
 */
export const UserPasswordEntity = entityOf({
  name: 'UserPassword',
  tableName: 'user_passwords',
  columns: {
    user_id: key(wholeNumber()),
    password_hash: text(),
    changed: dateTime(),
    /** Random id that is new with each change. Sessions are valid only with the current id. */
    password_id: { ...text(36), default: '' },
  },
});
export type UserPasswordRow = EntityRow<typeof UserPasswordEntity>;

/**
 * Each row is a link with which a user sets a password. A user has at most one link, so a new one
 * ends the old one.
 */
export const PasswordLinkEntity = entityOf({
  name: 'PasswordLink',
  tableName: 'password_links',
  columns: {
    user_id: key(wholeNumber()),
    /** SHA-256 of the token, in hex. The stored hash cannot be used as a link. */
    token_hash: text(64),
    kind: text(32),
    /**
     * E-mail that the link was created for. The user signs in with it even if a record changes the
     * e-mail in the meantime.
     */
    sign_in_email: text(),
    created: dateTime(),
    expires: dateTime(),
  },
  indices: [
    { name: 'password_links_by_token', columns: ['token_hash'], unique: true },
    { name: 'password_links_by_expires', columns: ['expires'] },
  ],
});
export interface PasswordLinkRow extends EntityRow<typeof PasswordLinkEntity> {
  readonly kind: LinkKind;
}

/**
 * A link exists for one of these reasons: the operator invited the user, or someone reported a
 * forgotten password.
 */
export type LinkKind = 'invitation' | 'forgotten';

/**
 * Each row is a signed-in browser. It has only a hash of the cookie's secret, so it grants no
 * access.
 */
export const SessionEntity = entityOf({
  name: 'Session',
  tableName: 'sessions',
  columns: {
    session_hash: key(text(64)),
    user_id: wholeNumber(),
    /** Content of the session as JSON. */
    data: longText(),
    created: dateTime(),
    expires: dateTime(),
    /** Id of the password that the session began with. */
    password_id: { ...text(36), default: '' },
  },
  indices: [
    { name: 'sessions_by_user', columns: ['user_id'] },
    { name: 'sessions_by_expires', columns: ['expires'] },
  ],
});
export type SessionRow = EntityRow<typeof SessionEntity>;

/** Each row is a network from which a user signed in within the last 90 days, with its notice. */
export const SignInNetworkEntity = entityOf({
  name: 'SignInNetwork',
  tableName: 'sign_in_networks',
  columns: {
    user_id: key(wholeNumber()),
    network: key(text(64)),
    last_sign_in: dateTime(),
    notice: text(16),
    noticed: dateTime(),
    address: text(64),
    device: text(),
  },
  indices: [{ name: 'sign_in_networks_by_last_sign_in', columns: ['last_sign_in'] }],
});
export interface SignInNetworkRow extends EntityRow<typeof SignInNetworkEntity> {
  readonly notice: NoticeState;
}

/**
 * The notice of the first sign-in from a network has one of these states: there is no notice, it is
 * open, or a session of that network has dismissed it.
 */
type NoticeState = 'none' | 'open' | 'dismissed_there';

/** Each row is the secret that a user shares with an authenticator app. */
export const TwoFactorEntity = entityOf({
  name: 'TwoFactor',
  tableName: 'user_two_factor',
  columns: {
    user_id: key(wholeNumber()),
    encrypted_secret: text(),
    /** Time of the first accepted code, in UTC. */
    confirmed: dateTime(),
    /** Time step of the last accepted code. Each code is accepted once. */
    last_step: wholeNumber(),
  },
});
export type TwoFactorRow = EntityRow<typeof TwoFactorEntity>;

/** Each row is an unused recovery code. */
export const RecoveryCodeEntity = entityOf({
  name: 'RecoveryCode',
  tableName: 'recovery_codes',
  columns: { user_id: key(wholeNumber()), code_hash: key(text(64)) },
});
export type RecoveryCodeRow = EntityRow<typeof RecoveryCodeEntity>;

/** Each row is a user who must use two-factor sign-in. Its id may be ALL_USERS. */
export const TwoFactorRequirementEntity = entityOf({
  name: 'TwoFactorRequirement',
  tableName: 'two_factor_requirements',
  columns: { user_id: key(wholeNumber()), created: dateTime() },
});
export type TwoFactorRequirementRow = EntityRow<typeof TwoFactorRequirementEntity>;

/** A requirement for every user has this `user_id`. No user has it. */
export const ALL_USERS = 0;

export const ACCOUNT_ENTITIES = [
  UserEntity,
  VendorAffiliateEntity,
  VendorUserEntity,
  UserPasswordEntity,
  PasswordLinkEntity,
  SessionEntity,
  TwoFactorEntity,
  RecoveryCodeEntity,
  TwoFactorRequirementEntity,
  SignInNetworkEntity,
  ApiApplicationEntity,
  ApiKeyEntity,
];
