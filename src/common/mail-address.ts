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
