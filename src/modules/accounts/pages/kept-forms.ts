import { Injectable } from '@nestjs/common';
import { Settings } from '../../../config/settings.js';
import { isRecord } from '../../../platform/values/is-record.js';
import { redirectTo, type PageAnswer } from '../../../platform/pages/page-answer.js';
import { EndedForms, type TypedForm } from '../../../platform/pages/typed-form.js';
import type { SignedInVisit, Visit } from '../../../platform/pages/visit.js';
import { ApiError } from '../../../api/errors/api-error.js';
import { SecretCipher } from '../../../platform/secrets/secret-store.js';
import { BrowserSessions, type KeptForm } from './browser-sessions.js';
import { signInPage } from './sign-in.view.js';

/** Minutes for which a form is kept. */
const KEPT_MINUTES = 30;
/** Names what is encrypted. */
const CONTEXT = 'form of an ended session';

/**
 * Keeps a form that was sent after its session had ended: encrypted in a field of the sign-in, and
 * then in the new session of the same user. It is shown again, and never sent by itself.
 */
@Injectable()
export class KeptForms extends EndedForms {
  private readonly cipher: SecretCipher;
  /** True if users can request a link by mail. */
  private readonly hasMail: boolean;

  constructor(
    private readonly sessions: BrowserSessions,
    { keyEncryptionSecret, mail }: Settings,
  ) {
    super();
    this.cipher = new SecretCipher(keyEncryptionSecret, 'vendor-reporting-api ended forms');
    this.hasMail = mail !== null;
  }

  /** @throws ApiError forbidden for a form of another user */
  answer(visit: Visit, form: TypedForm): PageAnswer {
    if (visit.user === null) {
      const kept = this.cipher.encrypt(JSON.stringify({ ...form, until: endNow() }), CONTEXT);
      return signInPage(visit, this.hasMail, { kept });
    }
    if (visit.user.id !== form.user_id) {
      const detail = 'This form is of another user. Reload the page and try again.';
      throw new ApiError('forbidden', detail);
    }
    this.sessions.keepForm(visit.request, { ...form, until: endNow() });
    return redirectTo(form.page);
  }

  take({ request, user }: SignedInVisit): TypedForm | null {
    if (request.method !== 'GET') return null;
    const form = this.sessions.keptForm(request);
    if (form === null) return null;
    const isOver = form.until < Date.now();
    if (!isOver && form.page !== request.originalUrl) return null;
    this.sessions.keepForm(request, null);
    return isOver || form.user_id !== user.id ? null : form;
  }

  /**
   * Returns the form in the field of a sign-in, or null if there is none of this user, if it was
   * changed, or if it was kept for too long.
   */
  formIn(text: string, user_id: number): KeptForm | null {
    if (text === '' || !this.cipher.reads(text, CONTEXT)) return null;
    const form: unknown = JSON.parse(this.cipher.decrypt(text, CONTEXT));
    if (!isKeptForm(form)) return null;
    return form.user_id === user_id && form.until >= Date.now() ? form : null;
  }
}

function endNow(): number {
  return Date.now() + KEPT_MINUTES * 60_000;
}

function isKeptForm(value: unknown): value is KeptForm {
  return (
    isRecord(value) &&
    typeof value.user_id === 'number' &&
    typeof value.page === 'string' &&
    typeof value.action === 'string' &&
    typeof value.until === 'number' &&
    isRecord(value.fields)
  );
}
