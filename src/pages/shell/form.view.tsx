import type { ComponentChildren, InputHTMLAttributes } from 'preact';

type FieldProperties = InputHTMLAttributes & {
  readonly label: string;
  readonly name: string;
  readonly hint?: ComponentChildren;
};

/** A field with its label above and, where there is something to say, a hint below. */
export function Field({ label, hint, ...input }: FieldProperties) {
  const id = `field-${input.name}`;
  const hintId = `${id}-hint`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input {...input} id={id} aria-describedby={hint === undefined ? undefined : hintId} />
      {hint !== undefined && (
        <p class="hint" id={hintId}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** Says what was wrong with a form; a screen reader reads it at once. */
export function Problem({ children }: { readonly children: ComponentChildren }) {
  if (children === undefined || children === null) return null;
  return (
    <p class="notice problem" role="alert">
      {children}
    </p>
  );
}

/** Says what was done. */
export function Done({ children }: { readonly children: ComponentChildren }) {
  if (children === undefined || children === null) return null;
  return (
    <p class="notice done" role="status">
      {children}
    </p>
  );
}
