import type { Answer, Request } from './http.js';

export const PASSWORD = 'correct horse battery staple';

/** A running service, as far as a visitor needs it. */
interface Visited {
  send(request: Request): Promise<Answer>;
}

/** A running service that sets the passwords of its users. */
interface VisitedWithPasswords extends Visited {
  setPassword(user_id: number, password: string): Promise<unknown>;
}

/**
 * A browser without JavaScript. It keeps cookies, does not follow redirects, and sends the forms of
 * pages.
 */
export class Visitor {
  private readonly cookies = new Map<string, string>();
  /** Token of the forms on the last page. */
  token = '';

  /** @param headers headers that are sent with each request */
  constructor(
    private readonly service: Visited,
    private readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  /**
   * Sets the password of a user in the ledger and signs in as that user.
   * @throws Error if the service refuses the sign-in
   */
  static async signedIn(service: VisitedWithPasswords, user_id: number): Promise<Visitor> {
    await service.setPassword(user_id, PASSWORD);
    const visitor = new Visitor(service);
    locationOf(await visitor.signIn(`user${user_id}@example.test`));
    return visitor;
  }

  async signIn(email: string, password: string = PASSWORD, next = ''): Promise<Answer> {
    await this.get('/account/sign-in');
    return this.post('/account/sign-in', { email, password, next });
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.send('GET', path, headers);
  }

  head(path: string): Promise<Answer> {
    return this.send('HEAD', path, {});
  }

  /**
   * Sends a form with the token of the last page, if there is one. A field `csrf_token` replaces
   * the token.
   */
  post(path: string, fields: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const body = new URLSearchParams({
      ...(this.token === '' ? {} : { csrf_token: this.token }),
      ...fields,
    }).toString();
    return this.send('POST', path, { 'Content-Type': 'application/x-www-form-urlencoded' }, body);
  }

  cookie(name: string): string | undefined {
    return this.cookies.get(name);
  }

  setCookie(name: string, value: string): void {
    this.cookies.set(name, value);
  }

  /**
   * Follows the redirect of a form.
   * @throws Error if the answer is not such a redirect
   */
  async follow(answer: Answer): Promise<Answer> {
    return this.get(locationOf(answer));
  }

  private async send(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: string,
  ): Promise<Answer> {
    const cookies = [...this.cookies].map(([name, value]) => `${name}=${value}`);
    const sent = { ...this.headers, ...headers, Accept: 'text/html', Cookie: cookies.join('; ') };
    const answer = await this.service.send({
      method,
      path,
      headers: sent,
      ...(body === undefined ? {} : { body }),
    });
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    this.token = /name="csrf_token" value="([^"]+)"/.exec(answer.text)?.[1] ?? this.token;
    return answer;
  }
}

function locationOf({ status, headers, text }: Answer): string {
  if (status !== 303) throw new Error(`the page answers ${status}, not a redirect: ${text}`);
  return String(headers.location);
}
