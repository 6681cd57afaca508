import { Fragment, h, options, type ComponentChildren } from 'preact';

/** Matches right-to-left letters, and all characters that control the direction of text. */
const DIRECTED =
  /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** Matches text as `isolatedText` returns it. */
const ISOLATED = /\u2068[^\u2066-\u2069]*\u2069/g;
const ISOLATES = /[\u2066-\u2069]/g;
const [FIRST_STRONG_ISOLATE, POP_ISOLATE] = ['\u2068', '\u2069'] as const;

/** Elements that contain only text. */
const PLAIN = new Set(['option', 'title']);
/** Elements whose text stands alone or is not displayed. */
const UNTOUCHED = new Set(['script', 'style', 'textarea']);

/**
 * Isolates the direction of text on all pages: a name or a tracking value with right-to-left
 * letters or controls cannot change the order of the text around it. It hooks into the creation of
 * every element, so no view can omit it. A template literal is isolated as a whole, so parts of it
 * need `isolatedText`.
 */
export function isolateTexts(): void {
  options.vnode = ({ type, props }) => {
    if (type === Fragment || (typeof type === 'string' && !UNTOUCHED.has(type))) {
      props.children = isolated(props.children, type);
    }
  };
}

/**
 * Returns the text between characters that isolate its direction, for an attribute or an element
 * that contains only text.
 */
export function isolatedText(text: string): string {
  return isDirected(text) ? FIRST_STRONG_ISOLATE + closed(text) + POP_ISOLATE : text;
}

function isolated(children: ComponentChildren, type: unknown): ComponentChildren {
  if (Array.isArray(children)) {
    return children.map((child: ComponentChildren) => isolated(child, type));
  }
  if (typeof children !== 'string' || !isDirected(children)) return children;
  if (type === 'bdi') return closed(children);
  return typeof type === 'string' && PLAIN.has(type)
    ? isolatedText(children)
    : h('bdi', null, children);
}

/**
 * Returns true if a part of the text that is not isolated yet can change the order of other text.
 */
export function isDirected(text: string): boolean {
  return DIRECTED.test(text) && DIRECTED.test(text.replaceAll(ISOLATED, ''));
}

/**
 * Removes the characters that would end the isolation around the text. They have no other effect.
 */
function closed(text: string): string {
  let open = 0;
  return text.replace(ISOLATES, (control) => {
    if (control !== POP_ISOLATE) open += 1;
    else if (open > 0) open -= 1;
    else return '';
    return control;
  });
}
