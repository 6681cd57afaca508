import type { ComponentChildren } from 'preact';

/** A link of a menu. */
export interface MenuLink {
  readonly href: string;
  readonly words: ComponentChildren;
  readonly isCurrent?: boolean;
}

interface MenuProperties {
  /** Menus with the same name close each other. */
  readonly name: string;
  readonly summary: ComponentChildren;
  /** Looks like a button. */
  readonly isButton?: boolean;
  /** Further classes, for which the style sheet has rules. */
  readonly class?: string;
  readonly isOpen?: boolean;
  readonly children: ComponentChildren;
}

/** Shows a menu below its summary while it is open. It needs no script. */
export function Menu({
  name,
  summary,
  isButton = false,
  class: className = '',
  isOpen = false,
  children,
}: MenuProperties) {
  return (
    <details class={`menu ${className}`.trim()} name={name} open={isOpen}>
      <summary class={isButton ? 'button quiet more' : 'more'}>{summary}</summary>
      <div class="menu-panel">{children}</div>
    </details>
  );
}

/** Shows links in a menu, with the current one marked. */
export function MenuLinks({ links }: { readonly links: readonly MenuLink[] }) {
  return (
    <>
      {links.map(({ href, words, isCurrent = false }) => (
        <a href={href} aria-current={isCurrent ? 'page' : undefined}>
          {words}
        </a>
      ))}
    </>
  );
}
