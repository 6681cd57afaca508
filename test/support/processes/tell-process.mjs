// A test loads this module into the service's processes. Each process writes its id and the orders
// that it receives to a file, and adds its id to its responses.
import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';

const tell = (line) => appendFileSync(process.env.TEST_PROCESSES, `${line}\n`);

tell(process.pid);
subscribe('http.server.request.start', ({ response }) => {
  response.setHeader('X-Process', String(process.pid));
});
// Only orders of the primary process are texts; all other messages are objects.
process.on('message', (message) => {
  if (typeof message === 'string') tell(`${process.pid} ${message}`);
});
