import type { ComponentChildren } from 'preact';
import type { SignInNetwork } from '../../modules/accounts/sign-ins/sign-in-network.model.js';
import { DateTime } from './date-time.view.js';

/**
 * Shows sign-ins from networks that are new for the user. `children` is the form that dismisses
 * them.
 */
export function SignInNotices({
  notices,
  children,
}: {
  readonly notices: readonly SignInNetwork[];
  readonly children: ComponentChildren;
}) {
  return (
    <section class="notice sign-ins no-print" aria-label="New sign-ins">
      {notices.map(({ address, device, noticed }) => (
        <p>
          New sign-in from <strong>{address}</strong> on <DateTime at={noticed} />, with{' '}
          {device.replace(/^Unknown/, 'an unknown')}.
        </p>
      ))}
      <p>
        Was it not you? <a href="/account/security">Change your password</a>, which signs out all
        other browsers.
      </p>
      {children}
    </section>
  );
}
