import { domainToASCII, domainToUnicode } from 'node:url';

const ENCODED = 'xn--';

/**
 * The form in which e-mails are compared: letter case does not count, nor whether an international domain
 * is written with its own letters or encoded (`xn--…`, which browsers send), nor how accents are composed.
 */
export function comparableEmail(email: string): string {
  return readableEmail(email.normalize('NFC').toLowerCase());
}

/** An e-mail whose international domain has its own letters. Any other e-mail is returned as it is. */
export function readableEmail(email: string): string {
  const at = email.lastIndexOf('@') + 1;
  const domain = email.slice(at);
  if (isAscii(domain) && !domain.toLowerCase().includes(ENCODED)) return email;
  const readable = domainToUnicode(domainToASCII(domain));
  // Text that is no domain has no other form, and a longer one might not fit where e-mails are kept.
  const isUsable = readable !== '' && readable.length <= domain.length;
  return isUsable ? email.slice(0, at) + readable : email;
}

function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text);
}
