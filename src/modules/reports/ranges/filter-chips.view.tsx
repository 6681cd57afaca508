/** A filter in use. */
export interface FilterChip {
  readonly name: string;
  readonly words: string;
  /** Address of the page without the filter. */
  readonly without: string;
}

/** Shows the filters in use, each with a link that removes it. */
export function FilterChips({ chips }: { readonly chips: readonly FilterChip[] }) {
  if (chips.length === 0) return null;
  return (
    <ul class="chips" aria-label="Filters in use">
      {chips.map(({ name, words, without }) => (
        <li>
          <a href={without} aria-label={`Remove the filter ${name}: ${words}`}>
            {name}: {words} <span aria-hidden="true">×</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
