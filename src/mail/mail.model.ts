/** A mail in plain text. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** A mail was not sent. The message says why, without the address and without the words of the server. */
export class MailError extends Error {
  /** @param isFinal true if another try would fail as well */
  constructor(
    message: string,
    readonly isFinal: boolean,
  ) {
    super(message);
  }
}
