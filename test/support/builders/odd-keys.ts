/** Transaction ids of the ledger format that a path must carry percent-encoded, or look as if so. */
export const ODD_KEYS = [
  ...['a/b', 'a//b/', '/', 'a?b=c', 'a#b', 'a%2Fb', '%', '%zz', 'a+b', 'a&b=c', ';a=1', 'a:b'],
  ...[
    '..',
    '.',
    '../x',
    '{a}',
    '*',
    "'--",
    '"',
    '\\',
    '<a>',
    '[0]',
    '~',
    '|',
    '^',
    '`',
    '_',
    '%25',
  ],
  ...['Same', 'same', 'SAME', '0', '-1', 'null', 'undefined', '__proto__', 'x'.repeat(64)],
];

/** Keys that are not `key`, and that a careless comparison would take for it. */
export function unknownKeysLike(key: string): string[] {
  const accented = key.replace('a', 'á');
  return [
    ...[key.toUpperCase(), `${key} `, ` ${key}`, `${key}\t`, `${key}\0`, `${key}\n`, accented],
    ...[key.slice(0, -1), `${key}%`, `${key.slice(0, -1)}_`, `${key}x`, `${key}\u200b`, `'${key}'`],
    ...[`${key}' OR '1'='1`, 'x'.repeat(300), '🔑', `${key}/${key}`, `${key}/`],
  ];
}
