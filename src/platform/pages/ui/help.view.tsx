import type { ComponentChildren } from 'preact';

/** Explains a word in a box that the `?` beside it opens. It needs no script. */
export function Help({
  id,
  about,
  children,
}: {
  readonly id: string;
  /** The word, for screen readers. */
  readonly about: string;
  readonly children: ComponentChildren;
}) {
  return (
    <>
      <button type="button" class="help" popovertarget={id} aria-label={`About ${about}`}>
        ?
      </button>
      <span id={id} class="help-text" popover="auto">
        {children}
      </span>
    </>
  );
}
