import type { ComponentChildren } from 'preact';
import { Badge, Panel } from './facts.view.js';

/** A link to what a reader can do next. */
export type NextStep = readonly [href: string, words: string];

interface NothingProperties {
  readonly next: NextStep;
  readonly children: ComponentChildren;
}

/** Says in a table that there is nothing to show, and what to do next. */
export function Nothing({ next: [href, words], children }: NothingProperties) {
  return (
    <>
      {children} <a href={href}>{words}</a>
    </>
  );
}

/** Says in a paragraph that there is nothing to show, and what to do next. */
export function Empty(nothing: NothingProperties) {
  return (
    <p class="empty">
      <Nothing {...nothing} />
    </p>
  );
}

/** A step of a beginner. */
export interface Step {
  readonly title: string;
  readonly isDone: boolean;
  readonly children: ComponentChildren;
}

/** Shows the steps of a beginner, with the state of each. */
export function Steps({
  title,
  steps,
}: {
  readonly title: string;
  readonly steps: readonly Step[];
}) {
  return (
    <Panel id="steps-title" title={title} isCard={false}>
      <ol class="cards">
        {steps.map(({ title: name, isDone, children }) => (
          <li class="card">
            <h3>
              {name}{' '}
              {isDone ? <Badge style="active">done</Badge> : <Badge style="pending">to do</Badge>}
            </h3>
            {children}
          </li>
        ))}
      </ol>
    </Panel>
  );
}
