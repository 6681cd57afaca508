import {
  APPLICATIONS_PATH,
  SECURITY_PATH,
  UPSTREAM_PATH,
  WEBHOOKS_PATH,
} from '../../platform/pages/paths.js';
import { Steps } from '../../platform/pages/ui/next-step.view.js';
import { Operator } from '../../platform/pages/frame/operator.view.js';

/** The parts that an account without sales has set up. */
export interface FirstSteps {
  /** True if another service is mirrored, or a source sends records. */
  readonly hasSource: boolean;
  readonly hasKey: boolean;
  readonly hasWebhook: boolean;
  readonly hasTwoFactor: boolean;
}

/** Shows a vendor without sales what to set up, with the state of each step. */
export function FirstStepsList({ hasSource, hasKey, hasWebhook, hasTwoFactor }: FirstSteps) {
  return (
    <Steps
      title="First steps"
      steps={[
        {
          title: 'Get your sales in',
          isDone: hasSource,
          children: (
            <p>
              <a href={UPSTREAM_PATH}>Import from another service</a>, send{' '}
              <a href="/docs">records with the API</a>, or ask <Operator /> to import a file. Your
              figures are here when the first sale has arrived.
            </p>
          ),
        },
        {
          title: 'Create an API key',
          isDone: hasKey,
          children: (
            <p>
              A key lets your own programs read your sales.{' '}
              <a href={APPLICATIONS_PATH}>Create one</a>, and follow the{' '}
              <a href="/docs/guide">guide</a>.
            </p>
          ),
        },
        {
          title: 'Add a webhook',
          isDone: hasWebhook,
          children: (
            <p>
              A webhook tells your server about each sale and refund.{' '}
              <a href={WEBHOOKS_PATH}>Add an endpoint</a>
            </p>
          ),
        },
        {
          title: 'Turn on two-factor sign-in',
          isDone: hasTwoFactor,
          children: (
            <p>
              A stolen password is then not enough. <a href={SECURITY_PATH}>Set it up</a>
            </p>
          ),
        },
      ]}
    />
  );
}
