import { useContext } from 'preact/hooks';
import {
  CurrentVisit,
  pairsIn,
  Problems,
  useProblem,
  useValue,
  type KeptValue,
  type Texts,
} from '../ui/form.view.js';
import type { Visit } from '../visit.js';

/** Name of a choice, and what it means. */
export interface Explained {
  readonly name: string;
  readonly explanation: string;
}

/** Offers a few choices, each with its explanation. */
export function Choices({
  legend,
  name,
  choices,
  ...kept
}: KeptValue & {
  readonly legend: string;
  readonly name: string;
  /** Choices by their values; nothing is selected if none has the value of the field. */
  readonly choices: Readonly<Record<string, Explained>>;
}) {
  const id = `field-${name}-problem`;
  const { problem, isFirst } = useProblem(name);
  const chosen = useValue(name, kept);
  return (
    <fieldset class="field" aria-describedby={problem === undefined ? undefined : id}>
      <legend>{legend}</legend>
      {problem !== undefined && (
        <p class="field-problem" id={id}>
          {problem.message}
        </p>
      )}
      {Object.entries(choices).map(([value, choice], index) => (
        <label class="choice explained">
          <input
            type="radio"
            name={name}
            value={value}
            checked={value === chosen}
            autofocus={index === 0 && isFirst}
            required
          />
          <ExplainedName {...choice} />
        </label>
      ))}
    </fieldset>
  );
}

function ExplainedName({ name, explanation }: Explained) {
  return (
    <span>
      <strong>{name}</strong> <span class="hint">{explanation}</span>
    </span>
  );
}

/** Returns the name of the box of a value. */
function boxName(name: string, value: string): string {
  return `${name}.${value}`;
}

/** Offers several values, of which any number can be checked. */
export function Checks({
  legend,
  name,
  options,
  explanations,
  chosen,
  hint,
}: {
  readonly legend: string;
  readonly name: string;
  /** Names of the values. */
  readonly options: Texts;
  /** Explanations by values; a value whose name is plain has none. */
  readonly explanations?: ReadonlyMap<string, string>;
  /** Values that are checked at first. After a problem, the form keeps what was sent. */
  readonly chosen: readonly string[];
  readonly hint: string;
}) {
  const visit = useContext(CurrentVisit);
  const hasProblem = useContext(Problems).length > 0;
  const { problem } = useProblem(name);
  const id = `field-${name}`;
  return (
    <fieldset class="field" aria-describedby={`${id}-hint`}>
      <legend>{legend}</legend>
      {problem !== undefined && (
        <p class="field-problem" id={`${id}-problem`}>
          {problem.message}
        </p>
      )}
      {pairsIn(options).map(([value, words]) => {
        const explanation = explanations?.get(value);
        return (
          <label class={explanation === undefined ? 'choice' : 'choice explained'}>
            <input
              type="checkbox"
              name={boxName(name, value)}
              checked={
                hasProblem ? visit?.field(boxName(name, value)) === 'on' : chosen.includes(value)
              }
            />
            {explanation === undefined ? (
              words
            ) : (
              <ExplainedName name={words} explanation={explanation} />
            )}
          </label>
        );
      })}
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
    </fieldset>
  );
}

/** Returns the values whose boxes are checked. */
export function checkedIn(visit: Visit, name: string, values: readonly string[]): string[] {
  return values.filter((value) => visit.field(boxName(name, value)) === 'on');
}
