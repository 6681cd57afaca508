/**
 * Returns a text of a file or a secret store without its final line break, which is not part of a
 * secret, a key or a path.
 */
export function withoutFinalLineBreak(text: string): string {
  return text.replace(/\r?\n$/, '');
}
