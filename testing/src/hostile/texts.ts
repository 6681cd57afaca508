/** Texts that a careless service changes, each with a description. */
export const TEXTS = [
  ['emoji and characters of 4 bytes', '👩‍👩‍👧 𝒳 𠜎'],
  ['combining marks, not composed', 'e\u0301 n\u0303 Z\u0351\u036b'],
  ['composed characters, not taken apart', '\u00e9 \u00f1'],
  ['right-to-left text and its marks', 'שלום \u202eabc\u202c مرحبا'],
  ['characters of no width', 'a\u200bb\ufeffc'],
  ['white space at both ends', '  \u00a0inside  '],
  ['SQL', "'; DROP TABLE transactions; -- \" \\' % _ `"],
  ['markup and templates', '<script>alert(1)</script> {{7*7}} ${7*7} %s'],
  ['control characters of two bytes', 'a\u0080b\u0085c\u009fd'],
  ['separators of lines that JavaScript knows', 'a\u2028b\u2029c'],
] as const;
