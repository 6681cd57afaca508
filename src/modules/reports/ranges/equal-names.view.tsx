import type { VNode } from 'preact';

/** Something that has a name; the id is null for a row with the total. */
interface Named {
  readonly id: number | null;
  readonly name: string;
}

/** Returns the names that several of the items have. */
function equalNamesOf(items: readonly Named[]): ReadonlySet<string> {
  const [once, often] = [new Set<string>(), new Set<string>()];
  for (const { name } of items) (once.has(name) ? often : once).add(name);
  return often;
}

/** Returns a function that shows the name of an item, with its id if another one has that name. */
export function namesWithIds(items: readonly Named[]): (item: Named) => VNode {
  const equal = equalNamesOf(items);
  return ({ id, name }) => (
    <>
      {name}
      {id !== null && equal.has(name) && <span class="aside"> {id}</span>}
    </>
  );
}

/** Returns the names by id as texts, with the id behind a name that several of them have. */
export function textsWithIds(names: ReadonlyMap<number, string>): Map<string, string> {
  const equal = equalNamesOf([...names].map(([id, name]) => ({ id, name })));
  return new Map(
    [...names].map(([id, name]) => [String(id), equal.has(name) ? `${name} (${id})` : name]),
  );
}
