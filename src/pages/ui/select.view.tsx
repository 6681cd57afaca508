import type { ComponentChildren } from 'preact';
import { Labelled, type FormProblem } from './form.view.js';

/** One of a few values, in a list that opens. */
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
  /** Nothing is chosen by a value that is none of them. */
  readonly chosen: string | null;
  readonly problems?: readonly FormProblem[];
  /** Further options, after the others. */
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
