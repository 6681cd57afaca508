import type { ComponentChildren } from 'preact';
import { Badge, Setting } from './ui/facts.view.js';
import { FormButton, type FormProblem, Problem } from './ui/form.view.js';
import type { Visit } from './visit.js';

/** Parameter with which the list of things shows the form of a new one. */
const NEW = 'new';
const MAKE_TITLE = 'make-title';

/**
 * Returns whether a list shows the form of a new thing: if there is no thing yet, if the visitor
 * asks for it, and while it has a problem or typed text.
 */
export function showsNew(visit: Visit, things: number, problems: readonly FormProblem[]): boolean {
  return things === 0 || visit.query(NEW) !== '' || problems.length > 0 || visit.typed !== null;
}

/**
 * Leads to the form of a new thing, beside the heading of a list. A phone shows only the verb, such
 * as `Create` of `Create an application`.
 */
export function NewButton({
  path,
  verb,
  thing,
}: {
  readonly path: string;
  readonly verb: string;
  readonly thing: string;
}) {
  return (
    <a class="button" href={`${path}?${NEW}=yes#${MAKE_TITLE}`}>
      {verb}
      <span class="phone-unseen"> {thing}</span>
    </a>
  );
}

/** Shows the form of a new thing. */
export function NewThing({
  title,
  about,
  children,
}: {
  readonly title: string;
  readonly about: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  return (
    <Setting id={MAKE_TITLE} title={title} about={about}>
      {children}
    </Setting>
  );
}

/** Offers to end a thing permanently, folded so that nobody does it by accident. */
export function Removal({
  action,
  title = 'Remove',
  explanation,
  summary,
  words = 'Yes, remove it',
}: {
  readonly action: string;
  readonly title?: string;
  readonly explanation: string;
  readonly summary: string;
  readonly words?: ComponentChildren;
}) {
  return (
    <Setting id={`${title.toLowerCase()}-title`} title={title} about={<p>{explanation}</p>}>
      <details>
        <summary class="dangerous">{summary}</summary>
        <FormButton action={action} words={words} button="danger" />
      </details>
    </Setting>
  );
}

const BADGES = {
  active: ['active', 'active'],
  failing: ['expired', 'failing'],
  paused: ['revoked', 'paused'],
  gone: ['revoked', 'switched off by the receiver'],
} as const;

/** Shows the state of a thing that works in the background. */
export function WorkBadge({
  state,
  failures,
}: {
  readonly state: Exclude<keyof typeof BADGES, 'failing'>;
  readonly failures: number;
}) {
  const [style, words] = BADGES[state === 'active' && failures > 0 ? 'failing' : state];
  return <Badge style={style}>{words}</Badge>;
}

/** A secret in plain text, if it was requested. */
export interface ShownSecret {
  readonly value?: string;
  /** True if it was requested, but cannot be decrypted. */
  readonly isUnreadable?: boolean;
  /** True if a script hides the secret until the user asks for it. */
  readonly isMasked?: boolean;
}

/** Shows a secret with a button that copies it. `children` is the form that requests it. */
export function Secret({
  id,
  label,
  shown: { value, isUnreadable = false, isMasked = false },
  unreadable,
  hint,
  children,
}: {
  readonly id: string;
  readonly label: string;
  readonly shown: ShownSecret;
  /** Message in place of a secret that cannot be decrypted. */
  readonly unreadable: string;
  readonly hint?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  return (
    <>
      <Problem>{isUnreadable ? unreadable : null}</Problem>
      {value === undefined ? (
        children
      ) : (
        <>
          <label for={id}>{label}</label>
          <div class="copy">
            <input id={id} value={value} readonly autocomplete="off" spellcheck={false} />
            {isMasked && (
              <button type="button" class="quiet" data-unmask={id} hidden>
                Show
              </button>
            )}
            <Copy of={id} />
          </div>
          {hint}
          <p role="status" data-copied={id} />
        </>
      )}
    </>
  );
}

interface CopyProperties {
  readonly of: string;
  /** Name of the button, for screen readers and pointers. */
  readonly label?: string;
}

/** A small button that a script shows, and that copies the text of an element. */
export function Copy({ of, label = 'Copy' }: CopyProperties) {
  return (
    <button type="button" class="icon" data-copy={of} aria-label={label} title={label} hidden>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
        <path d="M10.5 3.5v-.5a1 1 0 0 0-1-1H3.5A1.5 1.5 0 0 0 2 3.5v6a1 1 0 0 0 1 1h.5" />
      </svg>
    </button>
  );
}

/**
 * Shows a text within a line, with a button that copies it.
 * @param isCode false for a text for people, such as an e-mail address, in the font of the page
 */
export function CopiedText({
  id,
  label,
  text,
  isCode = true,
}: {
  readonly id: string;
  readonly label: string;
  readonly text: string;
  readonly isCode?: boolean;
}) {
  return (
    <span class={isCode ? 'copied code' : 'copied'}>
      <output id={id}>{text}</output>
      <Copy of={id} label={label} />
      <span class="hint" role="status" data-copied={id} />
    </span>
  );
}

/**
 * Shows code in a box of its own, with a button that copies it.
 * @param name name of the code, for screen readers
 * @param title line above the code
 */
export function CodeBox({
  id,
  name,
  title,
  style = '',
  children,
}: {
  readonly id: string;
  readonly name: string;
  readonly title: ComponentChildren;
  /** Further class of the box. */
  readonly style?: string;
  readonly children: ComponentChildren;
}) {
  return (
    <figure class={`snippet ${style}`.trim()}>
      <figcaption>
        {title}
        <Copy of={id} label={`Copy ${name}`} />
        <span class="hint" role="status" data-copied={id} />
      </figcaption>
      <pre tabindex={0} role="group" aria-label={name}>
        <code id={id}>{children}</code>
      </pre>
    </figure>
  );
}
