import type { ComponentChildren, InputHTMLAttributes, VNode } from 'preact';

/** Invalid input in a form field, with a message for the user. */
export class FormProblem extends Error {
  constructor(
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
  /** Problems of the whole form; the field shows its own. */
  readonly problems?: readonly FormProblem[];
}

/** Attributes that connect a control with its label, problem and hint for screen readers. */
interface ControlAttributes {
  readonly id: string;
  readonly name: string;
  readonly 'aria-invalid': true | undefined;
  readonly 'aria-describedby': string | undefined;
  /** True for the first invalid field, which gets the focus. */
  readonly autofocus: boolean;
}

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
        id,
        name,
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

export function Field({
  label,
  name,
  hint,
  problems = [],
  ...input
}: InputHTMLAttributes & LabelledProperties) {
  return (
    <Labelled
      label={label}
      name={name}
      hint={hint}
      problems={problems}
      control={(attributes) => <input {...attributes} {...input} />}
    />
  );
}

interface ChoicesProperties {
  readonly legend: string;
  readonly name: string;
  /** Value of the selected choice; nothing is selected if no choice has it. */
  readonly value: string;
  readonly choices: readonly {
    readonly value: string;
    readonly name: string;
    readonly explanation: string;
  }[];
  readonly problems?: readonly FormProblem[];
}

/** Offers a few choices, each with its explanation. */
export function Choices({ legend, name, value, choices, problems = [] }: ChoicesProperties) {
  const id = `field-${name}`;
  const problem = problems.find(({ field }) => field === name);
  return (
    <fieldset class="field" aria-describedby={problem === undefined ? undefined : `${id}-problem`}>
      <legend>{legend}</legend>
      {problem !== undefined && (
        <p class="field-problem" id={`${id}-problem`}>
          {problem.message}
        </p>
      )}
      {choices.map((choice, index) => (
        <label class="choice explained">
          <input
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            autofocus={index === 0 && problem !== undefined && problem === problems[0]}
            required
          />
          <span>
            <strong>{choice.name}</strong> <span class="hint">{choice.explanation}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** Shows a problem of the whole form; screen readers announce it. */
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

export function Done({ children }: { readonly children: ComponentChildren }) {
  if (children === undefined || children === null) return null;
  return (
    <p class="notice done" role="status">
      {children}
    </p>
  );
}
