// Whether the process in this container can answer: exit status 0 or 1. Never whether its database
// does, since nobody should restart the service because the database is away.
const host = process.env.MANAGEMENT_HOST || '127.0.0.1';
const port = process.env.MANAGEMENT_PORT || '3001';

// What listens on every address is asked on the machine's own.
const own = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host];
const address = own ?? (host.includes(':') ? `[${host}]` : host);

try {
  const url = `http://${address}:${port}/health/live`;
  const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
  process.exitCode = response.ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}
