import type { VNode } from 'preact';
import type { Failure } from '../../common/errors/catalogue.js';
import type { Asset } from '../ui/assets.js';

/** A page of the account, put into the common layout. */
export interface Page {
  readonly kind: 'page';
  readonly title: string;
  readonly view: VNode;
  /** True for a page that uses all the width there is, for its tables. */
  readonly isWide?: boolean;
  /** What it loads beside what every page loads. */
  readonly scripts?: readonly Asset[];
  /** What went wrong: the status of the answer and its code in the log. Without it, 200. */
  readonly failure?: Failure | undefined;
}

/** Sends the browser on, by GET: what was sent is not sent again when the page is loaded again. */
export interface Redirect {
  readonly kind: 'redirect';
  /** A path of this server. */
  readonly to: string;
}

/** A file that the browser keeps, sent as it is made. */
export interface Download {
  readonly kind: 'download';
  readonly fileName: string;
  /** The media type. */
  readonly type: string;
  readonly chunks: AsyncIterable<string>;
}

export type PageAnswer = Page | Redirect | Download;

export function redirectTo(to: string): Redirect {
  return { kind: 'redirect', to };
}
