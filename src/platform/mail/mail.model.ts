/** A mail in plain text. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/**
 * Error for a mail that was not sent. The message contains the reason, but neither the address nor
 * text of the server.
 */
export class MailError extends Error {
  /** @param isFinal true if a retry would fail as well */
  constructor(
    message: string,
    readonly isFinal: boolean,
  ) {
    super(message);
  }
}
