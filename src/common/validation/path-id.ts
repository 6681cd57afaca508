/**
 * Reads the id in a path.
 * @returns 0, which no record has, if the text is no id
 */
export function pathIdOf(text: string): number {
  const id = Number(text);
  return /^[1-9]\d*$/.test(text) && Number.isSafeInteger(id) ? id : 0;
}
