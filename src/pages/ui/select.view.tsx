import type { ComponentChildren } from 'preact';
import { Labelled } from './form.view.js';

/** One of a few values, in a list that opens. */
export function Select<Value extends string>({
  label,
  name,
  options,
  names,
  chosen,
  children,
}: {
  readonly label: string;
  readonly name: string;
  readonly options: readonly Value[];
  readonly names: Readonly<Record<Value, string>>;
  readonly chosen: Value | null;
  /** Further options, after the others. */
  readonly children?: ComponentChildren;
}) {
  return (
    <Labelled
      label={label}
      name={name}
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
