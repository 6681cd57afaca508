// Whether the process in this container can answer: exit status 0 or 1. It does not check the database:
// nobody should restart the service because the database is not available.
const host = process.env.MANAGEMENT_HOST || '127.0.0.1';
const port = process.env.MANAGEMENT_PORT || '3001';

// A service that listens on every address is asked on the loopback address.
const own = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host];
const address = own ?? (host.includes(':') ? `[${host}]` : host);

try {
  const url = `http://${address}:${port}/health/live`;
  const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
  process.exitCode = response.ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}
