import type { VNode } from 'preact';
import type { Asset } from './assets.js';

/** A page of the account, put into the common layout. */
export interface Page {
  readonly kind: 'page';
  readonly title: string;
  readonly view: VNode;
  /** What it loads beside what every page loads. */
  readonly scripts?: readonly Asset[];
  /** 200 unless told otherwise. */
  readonly status?: number;
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
