import {
  createContext,
  type ComponentChildren,
  type InputHTMLAttributes,
  type VNode,
} from 'preact';
import { useContext } from 'preact/hooks';
import { PAGE_FIELD, pageFieldOf } from '../forms/typed-form.js';
import { CSRF_FIELD, type TypedForm, type Visit } from '../visit.js';

/** Invalid input in a form field, with a message for the user. */
export class FormProblem extends Error {
  constructor(
    readonly field: string,
    message: string,
  ) {
    super(message);
  }
}

/** Calls functions that read fields, and returns the problems that they throw. */
export function problemsOf(readers: readonly (() => unknown)[]): FormProblem[] {
  return readers.flatMap((read) => {
    try {
      read();
      return [];
    } catch (error) {
      if (!(error instanceof FormProblem)) throw error;
      return [error];
    }
  });
}

/** Texts by their values; a map keeps the order of values that are numbers. */
export type Texts = Readonly<Record<string, string>> | ReadonlyMap<string, string>;

export function pairsIn(texts: Texts): (readonly [string, string])[] {
  return isMap(texts) ? [...texts] : Object.entries(texts);
}

function isMap(texts: Texts): texts is ReadonlyMap<string, string> {
  return texts instanceof Map;
}

/** The visit whose page is rendered. Documents without forms have none. */
export const CurrentVisit = createContext<Visit | null>(null);
/** Problems of the page; each field shows its own. */
export const Problems = createContext<readonly FormProblem[]>([]);

/** Texts by field that the user typed into the form before the session ended; null for none. */
const Typed = createContext<TypedForm['fields'] | null>(null);

/** Returns the text that the user typed into a field before the session ended, or null. */
function useTyped(name: string): string | null {
  const fields = useContext(Typed);
  return fields !== null && Object.hasOwn(fields, name) ? (fields[name] ?? null) : null;
}

/** Returns the problem of a field, and whether its control gets the focus. */
export function useProblem(name: string) {
  const problems = useContext(Problems);
  const problem = problems.find(({ field }) => field === name);
  return { problem, isFirst: problem !== undefined && problem === problems[0] };
}

/** Value of a field that keeps invalid input, so that the user can correct it. */
export interface KeptValue {
  /** Value of a new form. After a problem of any field the form keeps all that was sent. */
  readonly initial?: string | number | undefined;
  /** Stored value. Only after a problem of this field the form keeps what was sent. */
  readonly stored?: string | number | undefined;
}

export function useValue(name: string, { initial, stored }: KeptValue) {
  const visit = useContext(CurrentVisit);
  const problems = useContext(Problems);
  const typed = useTyped(name);
  if (typed !== null) return typed;
  const hasProblem =
    stored === undefined ? problems.length > 0 : problems.some(({ field }) => field === name);
  return hasProblem ? visit?.field(name) : (stored ?? initial);
}

interface LabelledProperties {
  readonly label: string;
  readonly name: string;
  readonly hint?: ComponentChildren;
}

/**
 * Attributes that connect a control with its label, problem and hint for screen readers. The first
 * invalid field gets the focus.
 */
type ControlAttributes = Pick<
  InputHTMLAttributes,
  'id' | 'name' | 'aria-invalid' | 'aria-describedby' | 'autofocus'
>;

function Labelled({
  label,
  name,
  hint,
  control,
}: LabelledProperties & { readonly control: (attributes: ControlAttributes) => VNode }) {
  const id = `field-${name}`;
  const { problem, isFirst } = useProblem(name);
  const [problemId, hintId] = [`${id}-problem`, `${id}-hint`];
  const described = [problem && problemId, hint !== undefined && hintId].filter(Boolean);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {control({
        id,
        name,
        'aria-invalid': problem === undefined ? undefined : true,
        'aria-describedby': described.length === 0 ? undefined : described.join(' '),
        autofocus: isFirst,
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

/** A text field, as data. */
export type TextField = InputHTMLAttributes &
  LabelledProperties &
  KeptValue & {
    /** Unit of the value after the field, such as `%`. */
    readonly unit?: string;
    /** Unit before the field, such as `$`. */
    readonly unitBefore?: string;
  };

/** A text field with its label, its hint and its problem. */
export function Field({
  label,
  name,
  hint,
  initial,
  stored,
  unit = '',
  unitBefore = '',
  ...input
}: TextField) {
  const isKept = initial !== undefined || stored !== undefined;
  const kept = useValue(name, { initial, stored });
  const typed = useTyped(name);
  return (
    <Labelled
      label={label}
      name={name}
      hint={hint}
      control={(attributes) => {
        const value = isKept ? kept : (typed ?? input.value);
        const field = <input {...attributes} {...input} value={value} />;
        if (unit === '' && unitBefore === '') return field;
        return (
          <span class="with-unit">
            {unitBefore !== '' && <span>{unitBefore}</span>}
            {field}
            {unit !== '' && <span>{unit}</span>}
          </span>
        );
      }}
    />
  );
}

export function Fields({ fields }: { readonly fields: readonly TextField[] }) {
  return (
    <>
      {fields.map((field) => (
        <Field {...field} />
      ))}
    </>
  );
}

/** Offers a few values in a drop-down list. */
export function Select({
  label,
  name,
  options,
  chosen = null,
  children,
}: LabelledProperties & {
  /** Names of the values. */
  readonly options: Texts;
  /** Selected value; nothing is selected if it is not one of the options. */
  readonly chosen?: string | null;
  /** Further options, shown after the others. */
  readonly children?: ComponentChildren;
}) {
  const selected = useTyped(name) ?? chosen;
  return (
    <Labelled
      label={label}
      name={name}
      control={(attributes) => (
        <select {...attributes}>
          {pairsIn(options).map(([value, words]) => (
            <option value={value} selected={value === selected}>
              {words}
            </option>
          ))}
          {children}
        </select>
      )}
    />
  );
}

interface FormProperties {
  readonly action: string;
  /** Name for screen readers, if a page has several forms. */
  readonly label?: string | undefined;
  /** Fields that the user does not see. */
  readonly hidden?: Texts;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/**
 * A POST form with its CSRF token, and the page that has it. It shows what the user typed into it
 * before the session ended.
 */
export function Form({ action, label, hidden = {}, class: className, children }: FormProperties) {
  const visit = useContext(CurrentVisit);
  const page = visit === null ? null : pageFieldOf(visit);
  const typed = visit?.typed?.action === action ? visit.typed.fields : null;
  return (
    <form method="post" action={action} class={className} aria-label={label}>
      <input type="hidden" name={CSRF_FIELD} value={visit?.csrfToken} />
      {page !== null && <input type="hidden" name={PAGE_FIELD} value={page} />}
      {hiddenInputs(hidden)}
      <Typed.Provider value={typed}>{children}</Typed.Provider>
    </form>
  );
}

/** A POST form that is only a button. */
export function FormButton({
  words,
  button,
  ...form
}: Omit<FormProperties, 'children'> & {
  readonly words: ComponentChildren;
  /** Style of the button. */
  readonly button?: 'quiet' | 'danger' | undefined;
}) {
  return (
    <Form {...form}>
      <button class={button}>{words}</button>
    </Form>
  );
}

/** A GET form that chooses what a page shows. */
export function ChoiceForm({
  action,
  label,
  hidden = {},
  class: className = 'choose card',
  children,
}: FormProperties) {
  return (
    <form class={className} action={action} aria-label={label}>
      {hiddenInputs(hidden)}
      {children}
    </form>
  );
}

/** A part that a link opens on a narrow screen, and that is always open on a wide one. */
export function Foldable({
  id,
  words,
  isOpen,
  isCard = true,
  children,
}: {
  readonly id: string;
  readonly words: string;
  readonly isCard?: boolean;
  /** True if it is open on a narrow screen, too. */
  readonly isOpen: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    <>
      {!isOpen && (
        <a class="button quiet opener" href={`#${id}`}>
          {words}
        </a>
      )}
      <div id={id} class={`${isCard ? 'card ' : ''}foldable${isOpen ? ' open' : ''}`}>
        {children}
      </div>
    </>
  );
}

/**
 * The filter of a list: a slim row without a card, with a button that applies it. On a narrow
 * screen a link opens it. A page has at most one.
 */
export function FilterForm({
  words = 'Filter',
  isOpen,
  also,
  children,
  ...form
}: Omit<FormProperties, 'class'> & {
  /** Words of the link that opens it. */
  readonly words?: 'Filter' | 'Filter and sort';
  /** True if it is open on a narrow screen, too. */
  readonly isOpen: boolean;
  /** Content behind the button, such as further fields. */
  readonly also?: ComponentChildren;
}) {
  return (
    <Foldable id="filter" words={words} isOpen={isOpen} isCard={false}>
      <ChoiceForm {...form} class="choose filter no-print">
        {children}
        <button class="quiet">Apply</button>
        {also}
      </ChoiceForm>
    </Foldable>
  );
}

function hiddenInputs(fields: Texts) {
  return pairsIn(fields).map(([name, value]) => <input type="hidden" name={name} value={value} />);
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
