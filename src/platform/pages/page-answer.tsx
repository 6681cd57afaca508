import type { ComponentChildren, VNode } from 'preact';
import { CSV_TYPE } from '../files/csv.js';
import type { SentFile } from '../../api/envelope/rendered-answer.js';
import type { Failure } from '../../api/errors/catalogue.js';
import type { Settings } from '../../config/settings.js';
import type { ShownRecords } from '../../api/access/personal-reads.js';
import type { Asset } from './frame/assets.js';
import { LinkLine } from './ui/facts.view.js';
import { Done, type FormProblem } from './ui/form.view.js';
import type { Visit } from './visit.js';

/** Settings that every page needs. */
export type PageSettings = Pick<Settings, 'currency' | 'operatorContact' | 'basePath'>;

export interface Page {
  readonly kind: 'page';
  readonly title: string;
  readonly view: VNode;
  /** @internal */
  readonly scripts?: readonly Asset[];
  /** Problems of the form, which its fields show. */
  readonly problems?: readonly FormProblem[];
  /**
   * Sets the status of the response and the code in the log. Without it, the status is 200, or that
   * of `invalid_parameters` if there are problems.
   */
  readonly failure?: Failure | undefined;
}

export interface PageParts extends Omit<Page, 'kind' | 'view'> {
  /** Path and text of a link above the heading. */
  readonly back?: readonly [path: string, words: ComponentChildren];
  /** Heading, if it is not the title. */
  readonly heading?: ComponentChildren;
  /** Controls beside the heading, such as those of the period. */
  readonly tools?: ComponentChildren;
  /** Message about the last action. */
  readonly done?: ComponentChildren;
  /**
   * `card` is a card around what is below the heading. `narrow card` is a card around the whole
   * page in the middle of the screen, such as for visitors who are not signed in.
   */
  readonly frame?: 'card' | 'narrow card';
}

/** Returns a page with its heading above the view. */
export function pageOf(parts: PageParts, view: ComponentChildren): Page {
  const { back, heading = parts.title, tools, done, frame, ...page } = parts;
  const head = (
    <>
      {back !== undefined && (
        <LinkLine class="back no-print" href={back[0]}>
          {back[1]}
        </LinkLine>
      )}
      <div class="page-head">
        <h1>{heading}</h1>
        {tools}
      </div>
    </>
  );
  const content = (
    <>
      <Done>{done}</Done>
      {view}
    </>
  );
  return { kind: 'page', ...page, view: framed(frame, head, content) };
}

function framed(frame: PageParts['frame'], head: VNode, content: VNode): VNode {
  if (frame === 'narrow card') {
    return (
      <div class={frame}>
        {head}
        {content}
      </div>
    );
  }
  return (
    <>
      {head}
      {frame === 'card' ? <div class="card slim">{content}</div> : content}
    </>
  );
}

/** Redirects to GET, so that reloading the page does not send the form again. */
export interface Redirect {
  readonly kind: 'redirect';
  /** Path of this service, without the base path. */
  readonly to: string;
}

export interface Download {
  readonly kind: 'download';
  /** Calls `send` once with the file, which exists until `send` has ended. */
  readonly withFile: (send: (file: SentFile) => Promise<void>) => Promise<void>;
}

/** The answer of a page, with the personal data that it shows. */
export type PageAnswer = (Page | Redirect | Download) & {
  /** Customers' records that the answer shows, if the route does not name the one record. */
  readonly reads?: readonly ShownRecords[];
};

/**
 * Returns a download of a CSV file.
 * @param name the file name without `.csv`
 * @param chunks parts of the file, which are read while it is sent
 */
export function csvDownload(name: string, chunks: AsyncIterable<string>): Download {
  const file = { name: `${name}.csv`, type: CSV_TYPE, isCompressible: false, chunks };
  return { kind: 'download', withFile: (send) => send(file) };
}

/** Returns an answer that leads to another page, with the parameters of this address. */
export function redirectWithQuery({ request }: Visit, to: string): Redirect {
  const [, query] = request.originalUrl.split('?');
  return redirectTo(query === undefined ? to : `${to}?${query}`);
}

/** Returns an answer that leads the browser to another page of this service. */
export function redirectTo(to: string): Redirect {
  return { kind: 'redirect', to };
}
