import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { URLSearchParams } from 'node:url';

const FORM = 'application/x-www-form-urlencoded';
const ONE_ADDRESS = '198.51.100.66';
const SLOW_CLIENTS = 20;
const SLOW_MS = 15_000;

const below = (count) => Math.floor(Math.random() * count);
const oneOf = (all) => all[below(all.length)];
const anyAddress = () => `${1 + below(223)}.${below(256)}.${below(256)}.${below(256)}`;
const anyText = () => Math.random().toString(36).slice(2);

function anyPath() {
  const days = ['2026-01-01', '2026-03-05', '2026-07-01'];
  return oneOf([
    `/v3.0/transactions?start_date=${oneOf(days)}&end_date=2026-12-31&page=${1 + below(40)}&x=${anyText()}`,
    `/v3.0/transactions?start_date=2026-0${1 + below(9)}-0${1 + below(9)}&end_date=2026-12-${10 + below(18)}`,
    `/v3.0/transactions/S${1 + below(20)}-${below(2_000)}`,
    `/v2.0/latest-transactions/S${1 + below(20)}-${below(2_000)}`,
    `/v2.1/transaction/details/S${1 + below(20)}-${below(2_000)}`,
    '/v3.0',
    `/${anyText()}/${anyText()}`,
  ]);
}

/**
 * Sends a request of a random kind from a random address.
 * @returns its status
 */
export async function mix({ send, keys, browsers, basic }) {
  const address = { 'X-Forwarded-For': anyAddress() };
  const kind = Math.random();
  if (kind < 0.7) {
    const headers = { ...address, Authorization: basic(oneOf(keys)), 'Accept-Encoding': 'gzip' };
    return (await send({ path: anyPath(), headers })).status;
  }
  if (kind < 0.85) {
    const headers = { ...address, Authorization: basic(`vra_${anyText()}`) };
    return (await send({ path: anyPath(), headers })).status;
  }
  if (kind < 0.87)
    return (await send({ path: `/${'/'.repeat(below(15_000))}x`, headers: address })).status;
  if (kind < 0.97) return oneOf(browsers).look();
  if (kind < 0.99) return oneOf(browsers).download();
  return signIn(send, address);
}

/**
 * Sends a hostile request, always from the same address.
 * @returns its status
 */
export async function attacks({ send, keys, browsers, basic }) {
  const address = { 'X-Forwarded-For': ONE_ADDRESS };
  const kind = Math.random();
  if (kind < 0.2) return (await send({ path: `/${'/'.repeat(15_900)}x`, headers: address })).status;
  if (kind < 0.4) {
    const path = `/v3.0/transactions?start_date=2026-01-01&end_date=2026-12-31&x=${anyText()}`;
    return (await send({ path, headers: { ...address, Authorization: basic(keys[0]) } })).status;
  }
  if (kind < 0.6)
    return (
      await send({
        path: '/v3.0',
        headers: { ...address, Authorization: basic(`vra_${anyText()}`) },
      })
    ).status;
  if (kind < 0.75) return browsers[1].download();
  if (kind < 0.85) return browsers[1].look();
  return signIn(send, address);
}

async function signIn(send, address) {
  const page = await send({ path: '/account/sign-in', headers: address });
  const token = tokenIn(page.text);
  const body = new URLSearchParams({
    csrf_token: token,
    email: `${anyText()}@example.test`,
    password: 'a wrong password',
  });
  const headers = { ...address, 'Content-Type': FORM, Cookie: cookiesIn(page.headers) };
  return (await send({ path: '/account/sign-in', method: 'POST', headers, body: body.toString() }))
    .status;
}

function tokenIn(text) {
  return /name="csrf_token" value="([^"]+)"/.exec(text)?.[1] ?? '';
}

function cookiesIn(headers) {
  return (headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ');
}

/** A browser of a signed-in user. */
export class Browser {
  cookie = '';

  constructor(send, email, password) {
    this.send = send;
    this.email = email;
    this.password = password;
    this.address = { 'X-Forwarded-For': anyAddress() };
  }

  async signIn() {
    const { send, email, password, address } = this;
    const page = await send({ path: '/account/sign-in', headers: address });
    const body = new URLSearchParams({ csrf_token: tokenIn(page.text), email, password });
    const headers = { ...address, 'Content-Type': FORM, Cookie: cookiesIn(page.headers) };
    const answer = await send({
      path: '/account/sign-in',
      method: 'POST',
      headers,
      body: body.toString(),
    });
    if (answer.status !== 303) throw new Error(`sign-in failed with status ${answer.status}`);
    this.cookie = cookiesIn(answer.headers);
  }

  async look() {
    const path = oneOf([
      '/account/reports?from=2026-01-01&to=2026-12-31',
      '/account/reports/transactions?from=2026-01-01&to=2026-12-31',
      '/account/applications',
    ]);
    return (await this.send({ path, headers: { ...this.address, Cookie: this.cookie } })).status;
  }

  async download() {
    const path = '/account/reports/transactions.csv?from=2026-01-01&to=2026-12-31';
    return (await this.send({ path, headers: { ...this.address, Cookie: this.cookie } })).status;
  }
}

/** Runs clients that send many requests, read nothing, and reconnect when they are disconnected. */
export class SlowReaders {
  constructor(port, keys) {
    this.port = port;
    this.keys = keys;
  }

  async run(isOver) {
    while (!isOver()) {
      const sockets = Array.from({ length: SLOW_CLIENTS }, () => this.open());
      await wait(SLOW_MS);
      for (const socket of sockets) socket.destroy();
    }
  }

  open() {
    const socket = connect(this.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.pause();
    const key = Buffer.from(`${oneOf(this.keys.slice(1))}:x`).toString('base64');
    const path = oneOf([
      '/openapi/v3.0.json',
      '/v3.0/transactions?start_date=2026-01-01&end_date=2026-12-31',
    ]);
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${anyAddress()}\r\nAuthorization: Basic ${key}\r\n\r\n`.repeat(
        200,
      ),
    );
    return socket;
  }
}
