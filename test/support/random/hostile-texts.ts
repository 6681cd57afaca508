import { TEXTS } from './texts.js';

/**
 * Texts that alone show a fault wherever a text is taken for a part of a statement, a pattern or a
 * number: they are sent to each place whose value decides what is read or written.
 */
export const SHARPEST: Readonly<Record<string, readonly string[]>> = {
  SQL: ["'", '%'],
  'numbers that are none': ['10 ', '1e1'],
};

/** Texts that do harm where they are taken for something else than text, by what they attack. */
export const HOSTILE: Readonly<Record<string, readonly string[]>> = {
  SQL: [
    ...[
      "'",
      '"',
      '`',
      "''",
      "\\'",
      "' OR '1'='1",
      '" OR ""="',
      '1 OR 1=1',
      '1) OR (1=1',
      "of-%' --",
    ],
    ...[
      "of-vendor' -- ",
      'of-vendor"#',
      "of-vendor'/**/OR/**/1=1#",
      "of-vendor'||'",
      'of-%',
      'of_vendor',
    ],
    ...[
      "'; DROP TABLE transactions; --",
      '1; DELETE FROM users',
      "10;UPDATE users SET status='suspended'",
    ],
    ...["' UNION SELECT key_hash FROM api_keys -- ", '1 UNION ALL SELECT * FROM transactions'],
    ...["' AND SLEEP(5) -- ", "1' AND (SELECT 1 FROM (SELECT SLEEP(5))a)='1", "'||pg_sleep(5)||'"],
    ...[
      '10-SLEEP(5)',
      "' AND randomblob(999999999) -- ",
      'CASE WHEN 1 THEN 10 ELSE 20 END',
      '0x3130',
    ],
    ...[
      '?',
      ':id',
      '$1',
      '@@version',
      "\u00bf' OR 1=1 -- ",
      '10 PROCEDURE ANALYSE()',
      "1' ORDER BY 99 -- ",
    ],
  ],
  'operators of other databases': [
    ...[
      '{"$gt":""}',
      '{"$ne":null}',
      '{"$where":"sleep(5000)"}',
      "';return true;//",
      '[$ne]',
      '$gt',
    ],
    ...['{"$regex":".*"}', '*)(uid=*))(|(uid=*', '*', "' or count(/*)=1 or '"],
  ],
  paths: [
    ...['../../../etc/passwd', '..%2f..%2fetc%2fpasswd', '..%252f..%252fetc%252fpasswd', '.', '..'],
    ...[
      '....//....//etc/passwd',
      '..\\..\\win.ini',
      '/etc/passwd\0.png',
      'file:///etc/passwd',
      '//a/b',
    ],
    ...[
      '../of-other',
      'of-vendor/../of-other',
      '..;/of-other',
      'C:\\boot.ini',
      '~root',
      '/v2.0/../v3.0',
    ],
  ],
  'lines of headers and logs': [
    ...[
      '\r\nX-Injected: 1',
      '\nX-Injected: 1',
      '%0d%0aX-Injected:%201',
      '\u560d\u560aX-Injected: 1',
    ],
    ...[
      '\r\n\r\nHTTP/1.1 200 OK\r\nX-Injected: 1\r\n\r\n',
      'a\u0085X-Injected: 1',
      '>; rel="x", <http://a/',
    ],
    ...[
      '\u001b[31mred\u001b[0m',
      '\b\b\u0007',
      '{"level":"error","message":"forged"}',
      '"}\n{"level":"fatal"}',
    ],
  ],
  templates: [
    ...[
      '${7331*7331}',
      '{{7331*7331}}',
      '<%= 7331*7331 %>',
      '#{7331*7331}',
      '*{7331*7331}',
      '@(7331*7331)',
    ],
    ...[
      '${jndi:ldap://127.0.0.1:1/a}',
      '$(sleep 5)',
      '`sleep 5`',
      '|sleep 5',
      '; sleep 5',
      '&& sleep 5',
    ],
    ...[
      '<script>alert(1)</script>',
      '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>',
      '%s%n%d%x',
    ],
  ],
  prototypes: [
    ...[
      '__proto__',
      'constructor',
      'prototype',
      'toString',
      'valueOf',
      'hasOwnProperty',
      '__proto__.polluted',
    ],
    ...['__proto__[polluted]', 'constructor[prototype][polluted]', '{"__proto__":{"polluted":1}}'],
  ],
  'numbers that are none': [
    ...[
      '-1',
      '-0',
      '+1',
      '1e3',
      '1e400',
      'NaN',
      'Infinity',
      '0x10',
      '1.0',
      ' 10',
      '10 ',
      '10\n',
      '１０',
      '١٠',
    ],
    ...['9007199254740993', '18446744073709551616', '9'.repeat(400), 'null', 'true', '[]', '{}'],
    ...[
      'undefined',
      '[object Object]',
      '',
      ' ',
      '0000-00-00',
      '2025-02-30',
      '9999-12-31T00:00:00Z',
      '-2025-06-01',
    ],
  ],
  'odd texts': [
    ...TEXTS.map(([, text]) => text),
    ...['\u0000', '\ufeff', '\u202e', '\uffff', 'ﬁ', 'İ', 'ſ', '\u{10ffff}', '\u{1f511}'],
    ...['x'.repeat(300), 'x'.repeat(9_000), '\u{1f511}'.repeat(600), 'a'.repeat(2_000) + "'"],
  ],
};
