import type { ComponentChildren } from 'preact';
import type { Visit } from '../visit.js';
import { numberText } from './values.view.js';

/** A name and its value. */
export type Fact = readonly [name: string, value: ComponentChildren];

/**
 * Shows names with their values; a fact without a value is left out.
 * @param isInline shows them in one line
 */
export function Facts({
  facts,
  isInline = false,
}: {
  readonly facts: readonly Fact[];
  readonly isInline?: boolean;
}) {
  const known = facts.filter(([, value]) => value !== null && value !== false && value !== '');
  if (known.length === 0) return null;
  return (
    <dl class={isInline ? 'facts inline' : 'facts'}>
      {known.map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  );
}

/**
 * Shows what a page is about in one line below its heading. The style sheet draws a dot between two
 * parts, and none at the end of a line. Parts that are false are left out.
 */
export function Subline({ parts }: { readonly parts: readonly ComponentChildren[] }) {
  return (
    <p class="subline">
      {parts
        .filter((part) => part !== false)
        .map((part) => (
          <>
            <span>{part}</span>{' '}
          </>
        ))}
    </p>
  );
}

interface PanelProperties {
  readonly id: string;
  readonly title: ComponentChildren;
  readonly isCard?: boolean;
  /** Link at the end of the line of the title. */
  readonly action?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Shows a part of a page with a title. */
export function Panel({ id, title, isCard = true, action = null, children }: PanelProperties) {
  const heading = <h2 id={id}>{title}</h2>;
  return (
    <section class={isCard ? 'card' : undefined} aria-labelledby={id}>
      {action === null ? (
        heading
      ) : (
        <div class="panel-head">
          {heading}
          {action}
        </div>
      )}
      {children}
    </section>
  );
}

/**
 * Shows a part of a page of forms or settings: what it is about, and its card beside it. On a
 * narrow screen the card is below.
 */
export function Setting({
  id,
  title,
  about,
  children,
}: Omit<PanelProperties, 'isCard' | 'action'> & { readonly about?: ComponentChildren }) {
  return (
    <section class="setting" aria-labelledby={id}>
      <div class="about">
        <h2 id={id}>{title}</h2>
        {about}
      </div>
      <div class="card">{children}</div>
    </section>
  );
}

/** Shows the title of a part of a page, and its content after a click. It needs no script. */
export function FoldedPanel({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}) {
  return (
    <details class="card folded">
      <summary>{title}</summary>
      {children}
    </details>
  );
}

/** Shows a word that stands out, such as a state. */
export function Badge({ style, children }: { readonly style: string; readonly children: string }) {
  return <span class={`badge ${style}`.trim()}>{children}</span>;
}

interface LinkLineProperties {
  readonly href: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** Shows a link in a paragraph of its own. */
export function LinkLine({ href, class: className, children }: LinkLineProperties) {
  return (
    <p class={className}>
      <a href={href}>{children}</a>
    </p>
  );
}

/** Offers the content of the page as a file, beside its title. A phone shows only the format. */
export function CsvLink({ href }: { readonly href: string }) {
  return (
    <a class="button quiet" href={href}>
      <span class="phone-unseen">Download as </span>CSV
    </a>
  );
}

/** Offers buttons and links in one line; paper has no use for them. */
export function Actions({ children }: { readonly children: ComponentChildren }) {
  return <div class="actions no-print">{children}</div>;
}

/** Offers links as tabs, with the current one marked. */
export function Tabs<Value extends string>({
  label,
  tabs,
  current,
  to,
  isEmpty,
}: {
  readonly label: string;
  /** Texts by value. */
  readonly tabs: readonly (readonly [value: Value, text: ComponentChildren])[];
  readonly current: Value | null;
  readonly to: (value: Value) => string;
  /** Returns true for a tab with nothing behind it, which a phone leaves out. */
  readonly isEmpty?: (value: Value) => boolean;
}) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(([value, text]) => (
        <a
          href={to(value)}
          class={value !== current && isEmpty?.(value) === true ? 'wide-only' : undefined}
          aria-current={value === current ? 'page' : undefined}
        >
          {text}
        </a>
      ))}
    </nav>
  );
}

/** A link to the preceding or the next page of a list, which has none if `href` is null. */
interface Neighbour {
  readonly words: string;
  readonly href: string | null;
}

/** Links to the pages beside this one. */
export function Neighbours({
  label = 'Pages',
  previous,
  next,
  between,
  children,
}: {
  readonly label?: string;
  readonly previous?: Neighbour;
  readonly next: Neighbour;
  readonly between?: ComponentChildren;
  readonly children?: ComponentChildren;
}) {
  return (
    <nav class="pages" aria-label={label}>
      {previous !== undefined && <Link to={previous} rel="prev" />}
      {between}
      <Link to={next} rel="next" />
      {children}
    </nav>
  );
}

function Link({ to: { words, href }, rel }: { readonly to: Neighbour; readonly rel: string }) {
  if (href === null) return null;
  return (
    <a class="button quiet" href={href} rel={rel}>
      {words}
    </a>
  );
}

interface Properties {
  /** Page number, starting at 1. */
  readonly page: number;
  readonly pages: number;
  readonly to: (page: number) => string;
}

/** Links to the preceding and the next page; shows nothing if there is only one page. */
export function PageLinks({ page, pages, to }: Properties) {
  if (pages === 1) return null;
  return (
    <Neighbours
      previous={{ words: 'Previous', href: page > 1 ? to(page - 1) : null }}
      between={
        <span>
          Page {numberText(page)} of {numberText(pages)}
        </span>
      }
      next={{ words: 'Next', href: page < pages ? to(page + 1) : null }}
    />
  );
}

/**
 * Returns the page number in the address, starting at 1; a number that cannot be parsed means the
 * first page.
 */
export function pageIn(visit: Visit): number {
  return /^[1-9]\d{0,8}$/.test(visit.query('page')) ? Number(visit.query('page')) : 1;
}
