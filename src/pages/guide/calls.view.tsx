import { Snippets } from './snippet.view.js';

const ENVIRONMENT = `export BASE_URL=https://reports.example
export API_KEY=vra_your_key`;

export function FirstCall() {
  return (
    <>
      <p>
        You need an API key: <a href="/account/applications">make an API application</a> in your
        account. Send the key as the user name of HTTP Basic authentication, with the password{' '}
        <code>x</code>. Keep it secret: it opens all your data. The snippets take it, and the
        address of this service, from two environment variables:
      </p>
      <pre class="shell" tabindex={0} role="group" aria-label="Environment variables">
        <code>{ENVIRONMENT}</code>
      </pre>
      <p>
        This call asks for the transactions of June 2025, and shows the newest of them. If it is
        answered, your key works.
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
        8 with its curl extension, and all that is newer.
      </p>
    </>
  );
}

export function Errors() {
  return (
    <>
      <p>
        An error has an HTTP status from 400 on, and in <code>meta.status</code> an internal{' '}
        <code>code</code> that says more. Decide by the code. <code>detail</code> tells a person how
        to fix the request, and names every fault. This call has its dates the wrong way round:
      </p>
      <Snippets topic="error" />
      <ul>
        <li>
          <code>4000</code>, <code>4001</code>: the request is wrong. Sending it again changes
          nothing.
        </li>
        <li>
          <code>4010</code>, <code>4011</code>, <code>4012</code>, <code>4030</code>,{' '}
          <code>4031</code>: the key is missing or wrong, or may not do this. Stop, and tell a
          person.
        </li>
        <li>
          <code>4040</code>: there is no such thing that you may see.
        </li>
        <li>
          <code>4290</code>, and <code>5000</code> with a header <code>Retry-After</code>: wait, and
          send the same request again.
        </li>
      </ul>
      <p>
        A parameter that the service does not know is no error. It is ignored, and the header{' '}
        <code>X-Ignored-Parameters</code> names it: look there when a parameter seems to do nothing.
        When you ask for help, quote <code>X-Request-Id</code>: it names the call in the log of the
        service.
      </p>
    </>
  );
}

export function Limits() {
  return (
    <>
      <p>
        By default an API application may send 50 requests a second and 3,000 a minute; your
        operator may have set other limits. The headers of each answer say what holds:{' '}
        <code>X-RateLimit-Remaining</code> is how many requests are left,{' '}
        <code>X-RateLimit-Reset</code> in how many seconds they are renewed, and{' '}
        <code>RateLimit</code> says both for each limit.
      </p>
      <p>
        A request over the limit that can be served within a second is not refused: the service
        holds it until its turn comes, so some calls take up to a second longer. Where the wait
        would be longer, the answer is 429 with <code>Retry-After</code>, in whole seconds. Wait
        that long, then send the same request again. Retrying sooner gains nothing.
      </p>
      <p>
        This small client waits, a bounded number of times, and turns every other error into an
        exception. The snippets below use it, so save it first.
      </p>
      <Snippets topic="client" />
    </>
  );
}
