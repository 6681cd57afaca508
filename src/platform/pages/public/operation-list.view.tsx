import { fieldsOf, textOf } from './markdown.js';

interface ListedOperation {
  readonly id: string;
  readonly title: string;
}

/** Operations of an OpenAPI document by their tags, in the order in which swagger-ui shows them. */
export type OperationGroups = ReadonlyMap<string, readonly ListedOperation[]>;

export function operationGroupsOf(document: unknown): OperationGroups {
  const { tags, paths } = fieldsOf(document);
  const names = Array.isArray(tags) ? tags.map((tag) => textOf(fieldsOf(tag).name)) : [];
  const operations = Object.values(fieldsOf(paths))
    .flatMap((methods) => Object.values(fieldsOf(methods)))
    .map(fieldsOf);
  return new Map(
    names.map((name) => [
      name,
      operations
        .filter((operation) => Array.isArray(operation.tags) && operation.tags.includes(name))
        .map(({ operationId, summary }) => ({ id: textOf(operationId), title: textOf(summary) })),
    ]),
  );
}

/** Links to the operations beside them; on a phone, a button opens the list. */
export function OperationList({ groups }: { readonly groups: OperationGroups }) {
  return (
    <nav id="operations" class="parts foldable no-print" aria-label="Operations">
      <div>
        {Array.from(groups, ([tag, operations]) => (
          <>
            <h3>{tag}</h3>
            <ol>
              {operations.map(({ id, title }) => (
                <li>
                  <a href={`#/${encodeURIComponent(tag)}/${id}`} data-part={elementIdOf(tag, id)}>
                    {title}
                  </a>
                </li>
              ))}
            </ol>
          </>
        ))}
      </div>
    </nav>
  );
}

/** Returns the id of the element in which swagger-ui draws an operation. */
function elementIdOf(tag: string, id: string): string {
  return `operations-${tag.replaceAll(/\s/g, '_')}-${id}`;
}
