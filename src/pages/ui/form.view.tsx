import type { ComponentChildren, InputHTMLAttributes, VNode } from 'preact';

/** What a person typed wrong: in which field, and a sentence for the person. */
export class FormProblem extends Error {
  constructor(
    /** The `name` of the field. */
    readonly field: string,
    message: string,
  ) {
    super(message);
  }
}

interface LabelledProperties {
  readonly label: string;
  readonly name: string;
  readonly hint?: ComponentChildren;
  /** Those of the whole form: the field shows its own. */
  readonly problems?: readonly FormProblem[];
}

/** What a field needs so that a screen reader reads its label, its problem and its hint. */
interface ControlAttributes {
  readonly id: string;
  readonly name: string;
  readonly 'aria-invalid': true | undefined;
  readonly 'aria-describedby': string | undefined;
  /** The first field that is wrong takes the focus when the page is shown. */
  readonly autofocus: boolean;
}

/** A control with its label above and, below, what is wrong with it and what to know about it. */
export function Labelled({
  label,
  name,
  hint,
  problems = [],
  control,
}: LabelledProperties & { readonly control: (attributes: ControlAttributes) => VNode }) {
  const id = `field-${name}`;
  const problem = problems.find(({ field }) => field === name);
  const [problemId, hintId] = [`${id}-problem`, `${id}-hint`];
  const described = [
    ...(problem === undefined ? [] : [problemId]),
    ...(hint === undefined ? [] : [hintId]),
  ];
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {control({
        ...{ id, name },
        'aria-invalid': problem === undefined ? undefined : true,
        'aria-describedby': described.length === 0 ? undefined : described.join(' '),
        autofocus: problem !== undefined && problem === problems[0],
      })}
      {problem !== undefined && (
        <p class="field-problem" id={problemId}>
          {problem.message}
        </p>
      )}
      {hint !== undefined && (
        <p class="hint" id={hintId}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** A text field. */
export function Field({
  label,
  name,
  hint,
  problems = [],
  ...input
}: InputHTMLAttributes & LabelledProperties) {
  return (
    <Labelled
      {...{ label, name, hint, problems }}
      control={(attributes) => <input {...attributes} {...input} />}
    />
  );
}

/** Says what was wrong with a form as a whole; a screen reader reads it at once. */
export function Problem({
  id,
  children,
}: {
  readonly id?: string;
  readonly children: ComponentChildren;
}) {
  if (children === undefined || children === null) return null;
  return (
    <p class="notice problem" role="alert" id={id}>
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
