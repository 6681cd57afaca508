const CSI = String.fromCharCode(27);
/**
 * Parts of a program's output: a line end, a return to the start of the line, a command, or text.
 */
const PARTS = new RegExp(`\\r?\\n|\\r|${CSI}\\[[?0-9;]*[A-Za-z]|${CSI}[78]|[^\\r\\n${CSI}]+`, 'g');

/**
 * Returns the final rows of a terminal that is wide enough.
 * @throws Error for an unknown command, after which the content of the screen is unknown
 */
export function screenOf(written: string): string[] {
  const rows = [''];
  let [row, column] = [0, 0];
  const put = (text: string) => {
    const before = (rows[row] ?? '').padEnd(column);
    rows[row] = before.slice(0, column) + text + before.slice(column + text.length);
    column += text.length;
  };
  for (const [part] of written.matchAll(PARTS)) {
    const command = part.startsWith(CSI) ? part.slice(1) : null;
    if (part.endsWith('\n')) {
      [row, column] = [row + 1, 0];
      rows[row] ??= '';
    } else if (part === '\r' || command === '[1G') column = 0;
    else if (command === '[0K' || command === '[K') rows[row] = (rows[row] ?? '').slice(0, column);
    else if (command === '[2K') rows[row] = '';
    else if (command === null) put(part);
    else if (!/^\[\?(7|25)[hl]$/.test(command)) throw new Error(`unknown command ${command}`);
  }
  return rows;
}
