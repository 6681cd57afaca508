import type { ComponentChildren } from 'preact';

/** A name and its value. */
export type Fact = readonly [name: string, value: ComponentChildren];

/** Shows names with their values; a fact without a value is left out. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  const known = facts.filter(([, value]) => value !== null && value !== false && value !== '');
  if (known.length === 0) return null;
  return (
    <dl class="facts">
      {known.map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  );
}

/** Shows a part of a page with a title. */
export function Panel({
  id,
  title,
  isCard = true,
  children,
}: {
  readonly id: string;
  readonly title: ComponentChildren;
  readonly isCard?: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    <section class={isCard ? 'card' : undefined} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

/** Shows a word that stands out, such as a state. */
export function Badge({ style, children }: { readonly style: string; readonly children: string }) {
  return <span class={`badge ${style}`.trim()}>{children}</span>;
}

/** Shows a link in a paragraph of its own. */
export function LinkLine({
  href,
  class: className,
  children,
}: {
  readonly href: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}) {
  return (
    <p class={className}>
      <a href={href}>{children}</a>
    </p>
  );
}

/** Offers links as tabs, with the current one marked. */
export function Tabs<Value extends string>({
  label,
  tabs,
  current,
  to,
}: {
  readonly label: string;
  /** Texts by value. */
  readonly tabs: readonly (readonly [value: Value, text: string])[];
  readonly current: Value | null;
  readonly to: (value: Value) => string;
}) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(([value, text]) => (
        <a href={to(value)} aria-current={value === current ? 'page' : undefined}>
          {text}
        </a>
      ))}
    </nav>
  );
}
