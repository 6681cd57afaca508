import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it } from '@jest/globals';
import { OpenResources } from '../runtime/open-resources.mjs';

it('tells of a server that a test file leaves open, and of none that it closed', async () => {
  const resources = new OpenResources();
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  await expect(resources.expectClosed(1)).rejects.toThrow('leaves open: TCPServerWrap');
  server.close();
  await resources.expectClosed();
});
