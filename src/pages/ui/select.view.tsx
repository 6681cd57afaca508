import type { ComponentChildren } from 'preact';
import { Labelled, type FormProblem } from './form.view.js';

/** Offers a few values in a drop-down list. */
export function Select<Value extends string>({
  label,
  name,
  options,
  names,
  chosen,
  problems = [],
  children,
}: {
  readonly label: string;
  readonly name: string;
  readonly options: readonly Value[];
  readonly names: Readonly<Record<Value, string>>;
  /** Selected value; nothing is selected if it is not one of the options. */
  readonly chosen: string | null;
  readonly problems?: readonly FormProblem[];
  /** Further options, shown after the others. */
  readonly children?: ComponentChildren;
}) {
  return (
    <Labelled
      label={label}
      name={name}
      problems={problems}
      control={(attributes) => (
        <select {...attributes}>
          {options.map((value) => (
            <option value={value} selected={value === chosen}>
              {names[value]}
            </option>
          ))}
          {children}
        </select>
      )}
    />
  );
}
