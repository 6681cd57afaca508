// Loads one target and measures it, in a process of its own. Reads a job as JSON from standard
// input, and prints the result as JSON. The job is { origin, seconds, connections, headers, paths
// }.
import { json } from 'node:stream/consumers';
import autocannon from 'autocannon';

// The timeout exceeds every answer, since a slow target is not an error.
const TIMEOUT_SECONDS = 600;

const job = await json(process.stdin);
const times = [];
const statuses = {};
let clients = 0;
let begun;

const instance = autocannon({
  url: job.origin,
  connections: job.connections,
  // The run is stopped below, because the time to build a long list of requests is not measured.
  duration: TIMEOUT_SECONDS,
  timeout: TIMEOUT_SECONDS,
  setupClient: (client) => {
    client.setRequests(requestsOf(clients++));
    if (clients === job.connections) begin();
  },
});
instance.on('response', (_client, status, _bytes, ms) => {
  times.push(ms);
  statuses[status] = (statuses[status] ?? 0) + 1;
});
const { errors } = await instance;
const duration = (performance.now() - begun) / 1000;
times.sort((left, right) => left - right);
const rate = times.length / duration;
console.log(
  JSON.stringify({ rate, p50: at(0.5), p99: at(0.99), statuses, errors, asked: times.length }),
);

function begin() {
  begun = performance.now();
  setTimeout(() => instance.stop(), job.seconds * 1000);
}

/**
 * Returns the requests of a connection. Each connection has its own share, so that no request is
 * sent twice before all were sent once.
 */
function requestsOf(client) {
  const { paths, headers, connections } = job;
  const own = paths.filter((_, index) => index % connections === client);
  const list = own.length > 0 ? own : paths;
  return list.map((path) => ({ method: 'GET', path, headers }));
}

function at(part) {
  return times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? null;
}
