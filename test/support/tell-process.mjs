// Loaded into the service's processes by a test: each tells that it is there, and what it answers.
import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';

appendFileSync(process.env.TEST_PROCESSES, `${process.pid}\n`);
subscribe('http.server.request.start', ({ response }) => {
  response.setHeader('X-Process', String(process.pid));
});
