// Loaded into the service's processes by a test: each tells that it is there, what it is told, and
// what it answers.
import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';

const tell = (line) => appendFileSync(process.env.TEST_PROCESSES, `${line}\n`);

tell(process.pid);
subscribe('http.server.request.start', ({ response }) => {
  response.setHeader('X-Process', String(process.pid));
});
// Only the orders of its primary are texts; whatever else goes this way is an object.
process.on('message', (message) => {
  if (typeof message === 'string') tell(`${process.pid} ${message}`);
});
