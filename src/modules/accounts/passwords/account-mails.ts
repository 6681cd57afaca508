import { Injectable } from '@nestjs/common';
import { shownText } from '../../../platform/values/shown-text.js';
import { Settings } from '../../../config/settings.js';
import type { Mail } from '../../../platform/mail/mail.model.js';
import type { SignInAccount, User } from '../account.model.js';
import type { IssuedLink, LinkKind } from './password-link.model.js';

const FIRST_WORDS: Readonly<Record<LinkKind, string>> = {
  invitation: 'You are invited to the account pages at',
  forgotten: 'Somebody asked for a new password for the account pages at',
};
const LAST_WORDS: Readonly<Record<LinkKind, string>> = {
  invitation: 'If you do not expect this mail, ignore it.',
  forgotten: 'If that was not you, ignore this mail: your password stays as it is.',
};

/** Builds the mails to users. Names come from the ledger, so each is kept on one line. */
@Injectable()
export class AccountMails {
  private readonly publicUrl: string;

  constructor({ publicUrl }: Settings) {
    this.publicUrl = publicUrl ?? '';
  }

  ofLink(kind: LinkKind, to: string, { user, link, expires }: IssuedLink): Mail {
    return {
      to,
      subject: 'Set your password',
      text: lines(
        `${FIRST_WORDS[kind]} ${this.publicUrl}`,
        ...accountLines(user),
        '',
        'Set your password here:',
        link,
        '',
        `The link works once, until ${expires} UTC.`,
        LAST_WORDS[kind],
      ),
    };
  }

  ofNewPassword(account: SignInAccount, changed: string): Mail {
    return {
      to: account.sign_in_email,
      subject: 'Your password was set',
      text: lines(
        `The password of your account at ${this.publicUrl} was set`,
        `on ${changed} UTC.`,
        ...accountLines(account),
        '',
        'If that was not you, ask the operator of the service at once.',
      ),
    };
  }
}

/**
 * Returns lines that identify the account. Several accounts can share an e-mail and even a name.
 */
function accountLines({ id, name }: Pick<User, 'id' | 'name'>): readonly string[] {
  return [`Account: ${shownText(name)}`, `Account ID: ${id}`];
}

function lines(...all: readonly string[]): string {
  return `${all.join('\n')}\n`;
}
