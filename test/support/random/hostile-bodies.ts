/** Bodies of every kind that clients may send, each with a name that describes it. */
import { brotliCompressSync, gzipSync } from 'node:zlib';

const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
/** Depth of nesting that fits into a body of 16 KiB. */
const VERY_DEEP = 5_000;

export interface HostileBody {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

const nested = (open: string, close: string, depth: number, inside = '1') =>
  open.repeat(depth) + inside + close.repeat(depth);
/** Returns an object with a field that is nested this deep, including the object itself. */
const fieldNested = (name: string, depth: number) =>
  `{"${name}":${nested('[', ']', depth - 1)},"approval_status":"DELAYED","status":"CANCEL"}`;

const TEXTS: readonly (readonly [string, string])[] = [
  ...['', ' ', 'null', 'true', '0', '-0', '1e999', '"text"', '[]', '{}', '[{}]', '[[[]]]'].map(
    (text) => [`the JSON ${text}`, text] as const,
  ),
  ...[20, 21, 2_000, VERY_DEEP].flatMap((depth) => [
    [`lists ${depth} deep`, nested('[', ']', depth)] as const,
    [`objects ${depth} deep`, nested('{"a":', '}', Math.min(depth, 2_500))] as const,
    [`a status ${depth} deep`, fieldNested('status', depth)] as const,
    [`an unknown field ${depth} deep`, fieldNested('unknown', depth)] as const,
    [`a commission ${depth} deep`, fieldNested('custom_commission', depth)] as const,
  ]),
  ['brackets that are never closed', '['.repeat(16_000)],
  ['objects that are never closed', '{"a":'.repeat(3_000)],
  ['brackets that were never opened', ']'.repeat(16_000)],
  ['a text that is never closed', `{"approval_status":"${'['.repeat(100)}`],
  ['a backslash at the end', '{"approval_status":"\\'],
  ['__proto__', '{"__proto__":{"approval_status":"DELAYED","status":"CANCEL"}}'],
  ['a constructor', '{"constructor":{"prototype":{"status":"CANCEL"}}}'],
  ['names of every object', '{"toString":1,"hasOwnProperty":null,"valueOf":{},"then":1}'],
  [
    'fields that come again',
    '{"status":"x","status":[1],"approval_status":1,"approval_status":{}}',
  ],
  ['huge numbers', `{"custom_commission":${'9'.repeat(400)},"status":1e308}`],
  ['tiny numbers', '{"custom_commission":1e-400,"custom_payment_1st_payout":-0.0}'],
  ['half a surrogate pair', '{"approval_status":"\\ud800","status":"\\udfff"}'],
  ['a NUL', '{"approval_status":"\\u0000","status":"\u0000"}'],
  ['many fields', `{${Array.from({ length: 1_400 }, (_, at) => `"a${at}":1`).join()}}`],
  ['lists for all fields', '{"status":[],"approval_status":[[]],"custom_commission":[1]}'],
  ['objects for all fields', '{"status":{},"approval_status":{"a":1},"custom_commission":{}}'],
  ['comments', '{/* a */"status":"CANCEL"}'],
  ['an ordinary form', 'approval_status=DELAYED&status=CANCEL'],
  ['form names with brackets', `a${'[b]'.repeat(VERY_DEEP)}=1`],
  ['a known form name with brackets', 'approval_status[]=DELAYED&status[a][b]=CANCEL'],
  ['form fields that come again', 'status=CANCEL&'.repeat(1_100)],
  ['separators alone', '&=&;&==&'.repeat(1_000)],
  ['malformed percent-encoding', 'approval_status=%zz&status=%'],
  ['percent-encoding that is no UTF-8', 'approval_status=%FF&status=%C3%28'],
  ['__proto__ in a form', '__proto__=1&constructor=2&approval_status=DELAYED'],
  ['a brace that is encoded', '%7B%22status%22:1}'],
  ['a brace behind white space', ' \r\n\t{"status":"CANCEL"'],
];

const BYTES: readonly (readonly [string, Buffer])[] = [
  ...TEXTS.map(([name, text]) => [name, Buffer.from(text)] as const),
  ['a mark of the byte order', Buffer.from('\ufeff{"status":"x"}')],
  ['a mark of the byte order alone', Buffer.from('\ufeff')],
  ['UTF-16', Buffer.from('{"status":"x"}', 'utf16le')],
  ['no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
  ['UTF-8 that is cut off', Buffer.from('{"status":"é').subarray(0, -1)],
  ['every byte', Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))],
  ['a kilobyte too much', Buffer.alloc(17 * 1024, '{')],
];

/** Bodies with a Content-Encoding, by name. Some do not have the encoding that they declare. */
const CLAIMS: readonly (readonly [string, Readonly<Record<string, string>>, readonly Buffer[]])[] =
  [
    ['gzip that is none', { 'Content-Encoding': 'gzip' }, [Buffer.from('{}')]],
    ['a gzip bomb', { 'Content-Encoding': 'gzip' }, [gzipSync(Buffer.alloc(5_000_000, '['))]],
    ['gzip of deep lists', { 'Content-Encoding': 'gzip' }, [gzipSync(nested('[', ']', VERY_DEEP))]],
    ['brotli of deep lists', { 'Content-Encoding': 'br' }, [brotliCompressSync('['.repeat(9_000))]],
    ['gzip twice', { 'Content-Encoding': 'gzip, gzip' }, [gzipSync(gzipSync('{}'))]],
    ['an unknown encoding', { 'Content-Encoding': 'zstd-of-tomorrow' }, [Buffer.from('{}')]],
  ];

/** Each body as JSON and as a form, and one body with other content types. */
export const HOSTILE_BODIES: readonly HostileBody[] = [
  ...[JSON_TYPE, FORM].flatMap((type) => [
    ...BYTES.map(([name, bytes]) => bodyOf(`${name}, as ${type}`, { 'Content-Type': type }, bytes)),
    ...CLAIMS.flatMap(([name, claim, all]) =>
      all.map((bytes) => bodyOf(`${name}, as ${type}`, { 'Content-Type': type, ...claim }, bytes)),
    ),
  ]),
  ...[
    'text/plain',
    'multipart/form-data',
    'application/json; charset=utf-16',
    'nonsense',
    '',
    `${JSON_TYPE}; charset="utf-8"; charset=x`,
    `${FORM}; charset=iso-8859-1`,
    'json/json/json',
  ].map((type) =>
    bodyOf(`a body of the type ${type}`, { 'Content-Type': type }, Buffer.from('{"status":"%E9"}')),
  ),
];

function bodyOf(name: string, headers: Record<string, string>, bytes: Buffer): HostileBody {
  return { name, headers: { ...headers, 'Content-Length': String(bytes.length) }, bytes };
}
