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
        This call asks for the transactions of June 2025, and shows the newest of them. If you get
        an answer, your key works.
      </p>
      <Snippets topic="first-call" />
      <p>
        Every answer has the same envelope: <code>meta</code> says how the call went, and{' '}
        <code>results</code> is the list that you asked for. Amounts are decimal text such as{' '}
        <code>"47.00"</code>: calculate with a decimal type, never with floating-point numbers.
        Date-times are in UTC.
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
        An error has an HTTP status of 400 or more. <code>meta.status</code> has an internal{' '}
        <code>code</code> that is more exact: let your program decide by it. <code>detail</code>{' '}
        tells a person how to fix the request and names every fault. In this call the end date is
        before the start date:
      </p>
      <Snippets topic="error" />
      <ul>
        <li>
          <code>4000</code>, <code>4001</code>: the request is wrong. Sending it again does not
          help.
        </li>
        <li>
          <code>4010</code>, <code>4011</code>, <code>4012</code>, <code>4030</code>,{' '}
          <code>4031</code>: the key is missing, wrong or not allowed to do this. Stop, and alert a
          person.
        </li>
        <li>
          <code>4040</code>: not found, or not yours.
        </li>
        <li>
          <code>4290</code>, and <code>5000</code> with a header <code>Retry-After</code>: wait, and
          send the same request again.
        </li>
      </ul>
      <p>
        The service ignores parameters that it does not know, and names them in the header{' '}
        <code>X-Ignored-Parameters</code>. Look there when a parameter has no effect. When you ask
        for help, quote <code>X-Request-Id</code>: it identifies the call in the log of the service.
      </p>
    </>
  );
}

export function Limits() {
  return (
    <>
      <p>
        By default an API application may send 50 requests a second and 3,000 a minute; your
        operator may have set other limits. The headers of each answer show your limits:{' '}
        <code>X-RateLimit-Remaining</code> is how many requests are left,{' '}
        <code>X-RateLimit-Reset</code> the seconds until the limit is renewed, and{' '}
        <code>RateLimit</code> has both for each limit.
      </p>
      <p>
        The service delays a request that is over the limit by up to one second. If it would have to
        wait longer, the answer is 429 with <code>Retry-After</code> in whole seconds. Wait that
        long, then send the same request again. An earlier retry is refused again.
      </p>
      <p>
        This small client waits and retries a limited number of times, and throws an exception for
        every other error. The snippets below use it, so save it first.
      </p>
      <Snippets topic="client" />
    </>
  );
}
