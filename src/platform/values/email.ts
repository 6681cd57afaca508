import { domainToASCII, domainToUnicode } from 'node:url';

const ENCODED = 'xn--';

/**
 * Returns the form in which e-mails are compared. Letter case does not count, nor how accents are
 * composed, nor whether an international domain is written with its own letters or encoded
 * (`xn--…`, which browsers send).
 */
export function comparableEmail(email: string): string {
  return readableEmail(email.normalize('NFC').toLowerCase());
}

/**
 * Returns an e-mail with its international domain written in its own letters. Any other e-mail is
 * returned unchanged.
 */
export function readableEmail(email: string): string {
  const at = email.lastIndexOf('@') + 1;
  const domain = email.slice(at);
  const isAscii = !/[^\0-\x7f]/.test(domain);
  if (isAscii && !domain.toLowerCase().includes(ENCODED)) return email;
  const readable = domainToUnicode(domainToASCII(domain));
  // Text that is no domain has no other form, and a longer form might not fit where e-mails are
  // stored.
  const isUsable = readable !== '' && readable.length <= domain.length;
  return isUsable ? email.slice(0, at) + readable : email;
}

/** Matches one address, without characters that would make it two, or add a header. */
const ADDRESS = /^[^\s\p{Cc}@<>()[\]"',:;\\]+@[^\s\p{Cc}@<>()[\]"',:;\\]+$/u;
/**
 * Maximum length of an address by RFC 5321: a path of 256 characters without its angle brackets.
 */
const MAX_LENGTH = 254;

/** Returns true if a mail can be sent to the text: one e-mail address, and nothing else. */
export function isMailAddress(text: string): boolean {
  return text.length <= MAX_LENGTH && ADDRESS.test(text);
}
