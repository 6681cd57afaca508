/** One address, without what would make it two, or a header of its own. */
const ADDRESS = /^[^\s\p{Cc}@<>()[\]"',:;\\]+@[^\s\p{Cc}@<>()[\]"',:;\\]+$/u;
/** RFC 5321, with the angle brackets. */
const MAX_LENGTH = 254;

/** True if a mail can be sent to it: one e-mail address, and nothing else. */
export function isMailAddress(text: string): boolean {
  return text.length <= MAX_LENGTH && ADDRESS.test(text);
}
