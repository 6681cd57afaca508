import { readFileSync } from 'node:fs';

/** Returns the operations in the README's table by name, such as `GET /v2.1/products/names`. */
export function readmeOperations(): string[] {
  const [, table = ''] =
    /\n## Operations\n(.*?)\n## /s.exec(readFileSync('README.md', 'utf8')) ?? [];
  const cells = Array.from(table.matchAll(/^\| (`[A-Z]+ .*?) +\|/gm), ([, cell = '']) => cell);
  return cells.flatMap((cell) => {
    const [first = '', ...paths] = Array.from(cell.matchAll(/`([^`]+)`/g), ([, code = '']) => code);
    const method = first.replace(/ .*/, '');
    return [first, ...paths.map((path) => `${method} ${path}`)];
  });
}
