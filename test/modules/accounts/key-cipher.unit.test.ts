import { describe, expect, it } from '@jest/globals';
import { readSettings } from '../../../src/start/load-settings.js';
import {
  hashOfApiKey,
  KeyCipher,
  makeApiKey,
} from '../../../src/modules/accounts/applications/key-cipher.js';
import { SecretCipher } from '../../../src/platform/secrets/secret-store.js';

const KEY = makeApiKey();
const HASH = hashOfApiKey(KEY);
const cipher = cipherWith('a secret that is long enough to be one');

function cipherWith(KEY_ENCRYPTION_SECRET: string): KeyCipher {
  return new KeyCipher(readSettings({ NODE_ENV: 'test', KEY_ENCRYPTION_SECRET }));
}

describe('KeyCipher', () => {
  it('reads what it wrote', () => {
    expect(cipher.decrypt(cipher.encrypt(KEY, HASH), HASH)).toBe(KEY);
  });

  it('reads what another process with the same secret wrote', () => {
    const other = cipherWith('a secret that is long enough to be one');
    expect(other.decrypt(cipher.encrypt(KEY, HASH), HASH)).toBe(KEY);
  });

  it.each(['\n', '\r\n'])(
    'reads what an earlier version wrote with a secret that ends in %j',
    (end) => {
      const secret = 'a secret that is long enough to be one';
      const earlier = new SecretCipher(secret + end, 'vendor-reporting-api keys');
      const encrypted = earlier.encrypt(KEY, HASH);
      expect(cipherWith(secret + end).decrypt(encrypted, HASH)).toBe(KEY);
      expect(cipher.decrypt(encrypted, HASH)).toBe(KEY);
      expect(() => cipher.decrypt(earlier.encrypt(KEY, 'other'), HASH)).toThrow();
    },
  );

  it('reads nothing under another secret', () => {
    const other = cipherWith('a secret that is long enough to be two');
    expect(() => other.decrypt(cipher.encrypt(KEY, HASH), HASH)).toThrow();
  });

  it("reads nothing in another key's row", () => {
    expect(() => cipher.decrypt(cipher.encrypt(KEY, HASH), hashOfApiKey(makeApiKey()))).toThrow();
  });

  it('reads nothing of which any one byte was changed', () => {
    const encrypted = Buffer.from(cipher.encrypt(KEY, HASH), 'base64url');
    for (const at of encrypted.keys()) {
      const changed = Buffer.from(encrypted);
      changed.writeUInt8((changed.readUInt8(at) + 1) % 256, at);
      expect(() => cipher.decrypt(changed.toString('base64url'), HASH)).toThrow();
    }
  });

  it('reads nothing that was cut short, down to nothing at all', () => {
    const encrypted = Buffer.from(cipher.encrypt(KEY, HASH), 'base64url');
    for (const length of encrypted.keys()) {
      const cut = encrypted.subarray(0, length).toString('base64url');
      expect(() => cipher.decrypt(cut, HASH)).toThrow();
    }
  });

  it('re-encrypts only values that the current secret does not decrypt', () => {
    const old = new SecretCipher('the previous secret', 'vendor-reporting-api keys');
    const current = { key_hash: HASH, encrypted_key: cipher.encrypt(KEY, HASH) };
    const previous = { ...current, encrypted_key: old.encrypt(KEY, HASH) };
    expect(cipher.rewrapped(current, old)).toEqual({});
    expect(cipher.rewrapped({ ...current, encrypted_key: null }, old)).toEqual({});
    expect(cipher.rewrapped({ ...previous, key_hash: 'of another key' }, old)).toBeNull();
    const { encrypted_key } = cipher.rewrapped(previous, old) ?? {};
    expect(cipher.decrypt(String(encrypted_key), HASH)).toBe(KEY);
  });

  it('writes the same key differently each time', () => {
    expect(cipher.encrypt(KEY, HASH)).not.toBe(cipher.encrypt(KEY, HASH));
  });

  it('shows nothing of the key in what it writes', () => {
    const encrypted = cipher.encrypt(KEY, HASH);
    const bytes = Buffer.from(encrypted, 'base64url').toString('latin1');
    expect([encrypted.includes(KEY), bytes.includes(KEY.slice(0, 8))]).toEqual([false, false]);
  });
});
