const { BASE_URL, API_KEY } = process.env;
const Authorization = `Basic ${Buffer.from(`${API_KEY}:x`).toString('base64')}`;
const MOST_TRIES = 6;

/** Returns the response, or throws the reason that the service gave. */
export async function request(path, headers = {}) {
  for (let tried = 1; ; tried += 1) {
    const response = await fetch(BASE_URL + path, { headers: { Authorization, ...headers } });
    const wait = Number(response.headers.get('Retry-After') ?? 0);
    if (wait > 0 && tried < MOST_TRIES) {
      await response.text();
      console.error(`${response.status}: waiting ${wait} s`);
      await new Promise((resolve) => setTimeout(resolve, wait * 1000));
      continue;
    }
    if (response.status >= 400) {
      const { code, message, detail } = (await response.json()).meta.status;
      throw new Error(`${code} ${message}: ${detail}`);
    }
    return response;
  }
}

/** Returns { status, headers, body }, with the body as parsed JSON. */
export async function get(path, headers = {}) {
  const response = await request(path, headers);
  const text = await response.text();
  const body = text === '' ? null : JSON.parse(text);
  return { status: response.status, headers: response.headers, body };
}
