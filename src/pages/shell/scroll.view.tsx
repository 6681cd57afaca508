import type { ComponentChildren } from 'preact';

/** Holds what may be wider than the screen; by keyboard, too, it can be scrolled. */
export function Scroll({
  label,
  children,
}: {
  /** For a screen reader. */
  readonly label: string;
  readonly children: ComponentChildren;
}) {
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label={label}>
      {children}
    </div>
  );
}
