import { Snippets } from './snippet.view.js';

const ENVIRONMENT = `export BASE_URL=https://reports.example
export API_KEY=vra_your_key`;

export function FirstCall() {
  return (
    <>
      <p>
        You need an API key: <a href="/account/applications">create an API application</a> in your
        account. Send the key as the user name of HTTP Basic authentication, with the password{' '}
        <code>x</code>. Keep it secret: it gives access to all your data. The snippets read the key
        and the address of this service from two environment variables:
      </p>
      <pre class="shell" tabindex={0} role="group" aria-label="Environment variables">
        <code>{ENVIRONMENT}</code>
      </pre>
      <p>
        This call lists the transactions of June 2025 and shows the newest one. If it succeeds, your
        key works.
      </p>
      <Snippets topic="first-call" />
      <p>
        Every response has the same envelope: <code>meta</code> describes the outcome, and{' '}
        <code>results</code> is a list of the data. Amounts are decimal text such as{' '}
        <code>"47.00"</code>: use a decimal type, never floating-point numbers. Date-times are in
        UTC.
      </p>
      <p class="hint">
        The snippets run with curl 7.76 and jq, Node.js 20, Python 3.9 without further packages, PHP
        8 with its curl extension, or newer versions.
      </p>
    </>
  );
}

export function Errors() {
  return (
    <>
      <p>
        An error has an HTTP status of 400 or more. The internal <code>code</code> in{' '}
        <code>meta.status</code> is more specific: base your error handling on it.{' '}
        <code>detail</code> is for people: it names every problem and how to fix it. In this call
        the end date is before the start date:
      </p>
      <Snippets topic="error" />
      <ul>
        <li>
          <code>4000</code>, <code>4001</code>: the request is invalid. Do not retry it.
        </li>
        <li>
          <code>4010</code>, <code>4011</code>, <code>4012</code>, <code>4030</code>,{' '}
          <code>4031</code>: the key is missing, invalid or lacks access. Stop and alert a person.
        </li>
        <li>
          <code>4040</code>: not found, or not yours.
        </li>
        <li>
          <code>4290</code>, and <code>5000</code> with a <code>Retry-After</code> header: wait,
          then send the same request again.
        </li>
      </ul>
      <p>
        The service ignores unknown parameters and lists them in the header{' '}
        <code>X-Ignored-Parameters</code>. Check it when a parameter has no effect. When you ask for
        help, quote <code>X-Request-Id</code>: it identifies the call in the log of the service.
      </p>
    </>
  );
}

export function Limits() {
  return (
    <>
      <p>
        By default an API application may send 50 requests a second and 3,000 a minute; your
        operator may have set other limits. Every response has headers with your limits:{' '}
        <code>X-RateLimit-Remaining</code> is the number of requests left,{' '}
        <code>X-RateLimit-Reset</code> is the seconds until the limit resets, and{' '}
        <code>RateLimit</code> has both for each limit.
      </p>
      <p>
        The service delays a request over the limit by up to one second. If it would have to wait
        longer, the answer is 429 with <code>Retry-After</code> in whole seconds. Wait that long,
        then send the same request again. An earlier retry fails again.
      </p>
      <p>
        This small client waits and retries a limited number of times, and throws an exception for
        every other error. The snippets below use it, so save it first.
      </p>
      <Snippets topic="client" />
    </>
  );
}
