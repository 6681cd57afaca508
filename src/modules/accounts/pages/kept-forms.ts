import { Injectable } from '@nestjs/common';
import { Settings } from '../../../config/settings.js';
import { isRecord } from '../../../platform/values/is-record.js';
import { redirectTo, type PageAnswer } from '../../../platform/pages/page-answer.js';
import { EndedForms } from '../../../platform/pages/forms/ended-forms.js';
import type { SignedInVisit, TypedForm, Visit } from '../../../platform/pages/visit.js';
import { ApiError } from '../../../api/errors/api-error.js';
import { SecretCipher } from '../../../platform/secrets/secret-store.js';
import { BrowserSessions } from './browser-sessions.js';
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
    const until = Date.now() + KEPT_MINUTES * 60_000;
    const kept = this.cipher.encrypt(JSON.stringify({ ...form, until }), CONTEXT);
    if (visit.user === null) return signInPage(visit, this.hasMail, { kept });
    if (visit.user.id !== form.user_id) {
      const detail = 'This form is of another user. Reload the page and try again.';
      throw new ApiError('forbidden', detail);
    }
    this.sessions.keepForm(visit.request, kept);
    return redirectTo(form.page);
  }

  take({ request, user }: SignedInVisit): TypedForm | null {
    const kept = request.method === 'GET' ? this.sessions.keptForm(request) : '';
    if (kept === '') return null;
    const form = this.formIn(kept, user.id);
    if (form !== null && form.page !== request.originalUrl) return null;
    this.sessions.keepForm(request, null);
    return form;
  }

  /**
   * Returns the form in an encrypted text, or null if there is none of this user, if the text was
   * changed, or if the form was kept for too long.
   */
  formIn(kept: string, user_id: number): TypedForm | null {
    if (!this.cipher.reads(kept, CONTEXT)) return null;
    const form: unknown = JSON.parse(this.cipher.decrypt(kept, CONTEXT));
    if (!isKeptForm(form)) return null;
    return form.user_id === user_id && form.until >= Date.now() ? form : null;
  }
}

/** A form, and the time until which it is kept, in milliseconds. */
interface KeptForm extends TypedForm {
  readonly until: number;
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
