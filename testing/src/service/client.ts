import { basic, envelopeOf, send, type Answer, type EnvelopeBody, type Request } from './http.js';

/** Sends requests to a service on this machine. */
export abstract class ServiceClient {
  /** TCP port of the service on 127.0.0.1. */
  abstract readonly port: number;

  send(request: Request): Promise<Answer> {
    return send(this.port, request);
  }

  /** Sends a GET request with a key; other headers may be added. */
  get(path: string, key: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.send({ path, headers: { ...basic(key), ...headers } });
  }

  /** Sends a PUT request with a key. A body that is neither text nor bytes is sent as JSON. */
  put(path: string, key: string, body: unknown, type = 'application/json'): Promise<Answer> {
    return this.write('PUT', path, key, body, type);
  }

  /** Sends a POST request with a key, with a body as for `put`. */
  post(path: string, key: string, body: unknown, type = 'application/json'): Promise<Answer> {
    return this.write('POST', path, key, body, type);
  }

  /** Sends a DELETE request with a key. */
  delete(path: string, key: string): Promise<Answer> {
    return this.send({ method: 'DELETE', path, headers: basic(key) });
  }

  /** Returns the envelope that a GET request is answered with. */
  async envelope(path: string, key: string): Promise<EnvelopeBody> {
    return envelopeOf(await this.get(path, key));
  }

  private write(
    method: string,
    path: string,
    key: string,
    body: unknown,
    type: string,
  ): Promise<Answer> {
    const sent = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    return this.send({
      method,
      path,
      headers: { ...basic(key), 'Content-Type': type },
      body: sent,
    });
  }
}
