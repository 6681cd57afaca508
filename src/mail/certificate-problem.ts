/** Codes of Node.js for certificates that are not trusted. */
const UNTRUSTED: ReadonlySet<string> = new Set([
  'CERT_CHAIN_TOO_LONG',
  'CERT_REJECTED',
  'CERT_REVOKED',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'PATH_LENGTH_EXCEEDED',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

const OTHERS: ReadonlyMap<string, string> = new Map([
  ['CERT_HAS_EXPIRED', 'has expired. Renew it there'],
  ['CERT_NOT_YET_VALID', 'is not valid yet. Check the clocks of both machines'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'is not for the host of SMTP_URL'],
  ['HOSTNAME_MISMATCH', 'is not for the host of SMTP_URL'],
]);

/**
 * @returns a sentence about the certificate of the SMTP server, or null if the code has another
 * cause
 */
export function certificateProblem(code: string): string | null {
  const known = OTHERS.get(code);
  const untrusted =
    'is not trusted: no known authority signed it. Set SMTP_CA to a PEM file with its authority';
  const problem = known ?? (UNTRUSTED.has(code) ? untrusted : null);
  return problem === null
    ? null
    : `SMTP_URL: the certificate of the SMTP server ${problem} (${code}).`;
}
