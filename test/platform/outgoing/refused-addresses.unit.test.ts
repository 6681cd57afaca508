/** Calls to the service's own network are rejected before a byte is sent. */
import { createServer, type Server, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AddressList } from '../../../src/platform/values/address-list.js';
import { AllowedHosts, isPublic } from '../../../src/platform/outgoing/allowed-hosts.js';
import type { NameLookup } from '../../../src/platform/outgoing/host-names.js';
import { OutgoingConnections } from '../../../src/platform/outgoing/outgoing-connections.js';
import { OutgoingHttps } from '../../../src/platform/outgoing/outgoing-https.js';

/** The server counts its connections. */
let server: Server;
let port = 0;
let connections = 0;

beforeAll(async () => {
  server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.close();
});

function resolvesTo(...answers: readonly (readonly string[])[]): NameLookup {
  let asked = 0;
  return {
    addressesOf: () => {
      const addresses = answers[Math.min(asked, answers.length - 1)] ?? [];
      asked += 1;
      return Promise.resolve(addresses);
    },
  };
}

function callerWith(names: NameLookup, networks: string | null = null): OutgoingHttps {
  const list = networks === null ? null : AddressList.parse(networks);
  return new OutgoingHttps(new AllowedHosts(list), names);
}

function call(caller: OutgoingHttps, url: string) {
  const signal = new AbortController().signal;
  return caller.post(url, { account: 1, headers: {}, body: '{}', ms: 5_000, signal });
}

/** URLs that refer to this machine or its network, in every notation. */
const URLS = [
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0177.0.0.1/',
  'https://0x7f.1/',
  'https://127.0.0.1./',
  'https://127.255.255.254/',
  'https://0/',
  'https://0.0.0.0/',
  'https://[::1]/',
  'https://[::]/',
  'https://[0:0:0:0:0:0:0:1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::127.0.0.1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[64:ff9b:1::a00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[2001:0:7f00:1::]/',
  'https://10.1.2.3/',
  'https://172.16.0.1/',
  'https://172.31.255.255/',
  'https://192.168.1.1/',
  'https://169.254.169.254/latest/',
  'https://[fe80::1]/',
  'https://[fd00:ec2::254]/',
  'https://[fc00::1]/',
  'https://[fec0::1]/',
  'https://[ff02::1]/',
  'https://100.64.0.1/',
  'https://100.127.255.255/',
  'https://192.0.0.192/',
  'https://192.0.2.1/',
  'https://198.18.0.1/',
  'https://198.51.100.1/',
  'https://203.0.113.1/',
  'https://224.0.0.1/',
  'https://239.255.255.255/',
  'https://240.0.0.1/',
  'https://255.255.255.255/',
  'https://[2001:db8::1]/',
  'https://[100::1]/',
  'https://①②⑦.0.0.1/',
  'https://127。0。0。1/',
  'https://%31%32%37.0.0.1/',
];

describe('a URL with an address that is not public', () => {
  it.each(URLS)('is refused: %s', async (url) => {
    const caller = callerWith(resolvesTo(['127.0.0.1']));
    expect(caller.problemOfUrl(url)).toBe('must not have an address that is not public');
    const withPort = new URL(url);
    withPort.port = String(port);
    await expect(call(caller, withPort.href)).rejects.toThrow('not public');
    expect(connections).toBe(0);
  });
});

describe('a URL that is no plain https', () => {
  it.each([
    ['http://example.com/', 'must be a URL that begins with https://'],
    ['ftp://example.com/', 'must be a URL that begins with https://'],
    ['file:///etc/passwd', 'must be a URL that begins with https://'],
    ['example.com', 'must be a URL that begins with https://'],
    ['https://user@example.com/', 'must have no user and no password'],
    ['https://:secret@example.com/', 'must have no user and no password'],
    ['https://example.com/#part', 'must have no fragment'],
    ['https://example.com:22/', 'must have no port other than 443 and 8443'],
    ['https://example.com:6379/', 'must have no port other than 443 and 8443'],
    ['https://8.8.8.8:25/', 'must have no port other than 443 and 8443'],
    [`https://example.com/${'x'.repeat(2_048)}`, 'must have at most 2048 characters'],
  ])('is refused: %s', async (url, problem) => {
    const caller = callerWith(resolvesTo(['8.8.8.8']));
    expect(caller.problemOfUrl(url)).toBe(problem);
    await expect(call(caller, url)).rejects.toThrow(problem);
  });

  it.each(['https://example.com/', 'https://example.com:8443/a?b=c', 'https://[2a00:1450::1]/'])(
    'is taken: %s',
    (url) => {
      expect(callerWith(resolvesTo(['8.8.8.8'])).problemOfUrl(url)).toBeNull();
    },
  );
});

describe('a name', () => {
  it.each([
    ['localhost', [['127.0.0.1']]],
    ['a name of this machine', [['127.0.0.1', '::1']]],
    ['a name of the own network', [['10.0.0.5']]],
    ['the cloud', [['169.254.169.254']]],
    ['IPv4 in IPv6', [['::ffff:127.0.0.1']]],
    ['a name that changes its mind', [['127.0.0.1'], ['8.8.8.8'], ['127.0.0.1']]],
    ['nothing', [[]]],
  ])('is refused: %s', async (_, answers) => {
    const caller = callerWith(resolvesTo(...answers));
    await expect(call(caller, 'https://receiver.example/')).rejects.toThrow(
      'the address is not public',
    );
    expect(connections).toBe(0);
  });

  it('that resolves to addresses of both kinds connects to those that are allowed only', async () => {
    const hosts = new AllowedHosts(AddressList.parse('127.0.0.2'));
    const resolved = new OutgoingConnections(resolvesTo(['127.0.0.1', '127.0.0.2']), hosts);
    const before = connections;
    const opened = resolved.open({ host: 'receiver.example', port, account: 1 });
    await expect(opened).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    expect(connections).toBe(before);
  });

  it('has odd ports only in networks that the operator allows', async () => {
    const own = callerWith(resolvesTo(['127.0.0.1']), '127.0.0.0/8');
    const before = connections;
    await expect(call(own, `https://receiver.example:${port}/`)).rejects.toThrow();
    expect(connections).toBe(before + 1);
    const elsewhere = callerWith(resolvesTo(['8.8.8.8']), '127.0.0.0/8');
    await expect(call(elsewhere, 'https://receiver.example:22/')).rejects.toThrow('not public');
  });
});

describe('isPublic', () => {
  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '172.15.0.1',
    '172.32.0.1',
    '2a00::1',
  ])('is true for %s', (address) => {
    expect(isPublic(address)).toBe(true);
  });
});
