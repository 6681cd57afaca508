import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../../config/settings.js';
import { SecretStore } from '../../../platform/secrets/secret-store.js';
import { type StoredKey, UnreadableKeyError } from '../account.model.js';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PREFIX = 'vra_';
/** 36 characters, each one of 62, have 214 random bits. */
const RANDOM_CHARACTERS = 36;
/** Six characters in base 62 hold the 32 bits of the checksum. */
const CHECKSUM_CHARACTERS = 6;
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_CHARACTERS + CHECKSUM_CHARACTERS}}$`);

/** Returns a new key: a prefix that secret scanners can find, random characters and a checksum. */
export function makeApiKey(): string {
  let random = '';
  for (let made = 0; made < RANDOM_CHARACTERS; made += 1) random += ALPHABET.charAt(randomInt(62));
  return PREFIX + random + checksumOf(random);
}

/** Returns false for text that lacks a part of a key or has more, such as a line end. */
export function isCompleteApiKey(text: string): boolean {
  return SHAPE.test(text);
}

/** Returns false for a mistyped or invented key, without a look-up. */
export function isWellFormedApiKey(text: string): boolean {
  if (!isCompleteApiKey(text)) return false;
  const random = text.slice(PREFIX.length, -CHECKSUM_CHARACTERS);
  return text.endsWith(checksumOf(random));
}

/**
 * Returns the hash by which keys are found. Keys have so many random bits that a slow hash would
 * add nothing.
 */
export function hashOfApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

function checksumOf(random: string): string {
  let rest = crc32(PREFIX + random);
  let text = '';
  for (let made = 0; made < CHECKSUM_CHARACTERS; made += 1) {
    text = ALPHABET.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

/**
 * Encrypts API keys, so their owners can see them but the database alone does not reveal them. Each
 * encrypted key is bound to its hash.
 */
@Injectable()
export class KeyCipher extends SecretStore {
  constructor(settings: Settings) {
    super(settings, {
      position: 1,
      title: 'Keys',
      purpose: 'vendor-reporting-api keys',
      table: 'api_keys',
      key: 'key_hash',
      columns: ['encrypted_key'],
      contextOf: ({ key_hash }) => key_hash,
      audited: ({ length }) => [
        { action: 'key.rewrap', subject: 'stored keys', after: { rewrapped: length } },
      ],
      ownerOf: ({ application_id }) => `Application ${application_id}`,
      unreadable: (cause) => new UnreadableKeyError('a stored key cannot be decrypted', { cause }),
    });
  }

  /** Returns a new key in its stored form. */
  stored(key: string): StoredKey {
    const key_hash = hashOfApiKey(key);
    return { key_hash, encrypted_key: this.encrypt(key, key_hash) };
  }
}
