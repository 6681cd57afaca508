// Defines linter rules for the conventions of this project. Each rule rejects the syntax that its
// selectors match.

/**
 * Classes whose objects may exist at module level, because they never change or are filled once.
 */
const LASTING =
  /^(Command|EntitySchema|KeptSum|Logger|Map|Messages|RegExp|Set|TextDecoder|URL|WeakMap|WeakSet)$/;
const ON_MODULE_LEVEL = ':matches(Program, Program > ExportNamedDeclaration) > VariableDeclaration';
const NOTHING_LASTS =
  'It outlives the service: tests, and services of one process, would share its state.';
const NO_FIXED_WAIT =
  'Wait for an event, with `until` or `within`; see test/support/processes and test/support/random.';
const NO_CLOCK = 'A busy machine runs other processes in between: measure with `stopwatch`.';
const WRITTEN_OUT =
  'Write the items out: the spread of a literal hides its content from readers and searches.';
/** Words with which a fragment begins, rather than a sentence. */
const FRAGMENT = /^(Of|What|Whose|Who|Those|Such|The same|In one|Longer|Where|More than) /;
const IS_FRAGMENT = 'Write a whole sentence, subject first: docs/glossary.md has the words.';
/** A chapter of a document that the repository does not contain. */
const POINTER = /\b([Ii]nterface \d|[Dd]ecisions?: |[Ii]nterface: )/;
const IS_POINTER =
  'State the fact, or link to a page of docs/: the repository does not contain that document.';
/** docs/glossary.md has another word for each of them. */
const GONE = /\b(in vain|rollups?|buyers?|stored sums?|what became of)\b/i;
const IS_GONE = 'docs/glossary.md has the word for this.';
const PLAIN = [
  [FRAGMENT, IS_FRAGMENT],
  [POINTER, IS_POINTER],
  [GONE, IS_GONE],
];

export default {
  meta: { name: 'house' },
  rules: {
    'nothing-lasts': refusing({
      [`${ON_MODULE_LEVEL}[kind!="const"]`]: NOTHING_LASTS,
      [`${ON_MODULE_LEVEL} > VariableDeclarator > NewExpression[callee.type="Identifier"]:not([callee.name=${LASTING}])`]:
        NOTHING_LASTS,
      [`${ON_MODULE_LEVEL} > VariableDeclarator > NewExpression[callee.name=/^(Map|Set)$/][arguments.length=0]`]:
        NOTHING_LASTS,
      [`${ON_MODULE_LEVEL} > VariableDeclarator:not([id.typeAnnotation.typeAnnotation.operator="readonly"]) > :matches(ArrayExpression[elements.length=0], ObjectExpression[properties.length=0])`]:
        NOTHING_LASTS,
      'PropertyDefinition[static=true]': NOTHING_LASTS,
      'Property[key.name="useValue"] > NewExpression': NOTHING_LASTS,
    }),
    'no-fixed-wait': refusing({
      'ImportDeclaration[source.value=/timers/] > ImportSpecifier[imported.name="setTimeout"]':
        NO_FIXED_WAIT,
      'CallExpression[callee.name="setTimeout"]': NO_FIXED_WAIT,
      'CallExpression[callee.property.name=/^toBeLessThan/][callee.object.callee.name="expect"] > MemberExpression > CallExpression > BinaryExpression[operator="-"] > CallExpression.left[callee.property.name="now"]':
        NO_CLOCK,
    }),
    'no-packing': refusing({
      'SpreadElement > :matches(ArrayExpression, ObjectExpression)': WRITTEN_OUT,
      'SpreadElement > TSAsExpression > :matches(ArrayExpression, ObjectExpression)': WRITTEN_OUT,
      'JSXSpreadAttribute > ObjectExpression': WRITTEN_OUT,
    }),
    'plain-comments': {
      create: (context) => ({
        Program() {
          for (const comment of wholeComments(context.sourceCode.getAllComments())) {
            for (const [pattern, message] of PLAIN) {
              if (pattern.test(comment.text)) context.report({ loc: comment.loc, message });
            }
          }
        },
      }),
    },
  },
};

/** Returns the comments. Consecutive `//` lines are one comment. */
function wholeComments(comments) {
  const whole = [];
  for (const { type, value, loc } of comments) {
    const last = whole.at(-1);
    if (type === 'Line' && last?.type === 'Line' && last.nextLine === loc.start.line) {
      last.text += ` ${textOf(value)}`;
      last.nextLine += 1;
    } else whole.push({ type, text: textOf(value), loc, nextLine: loc.end.line + 1 });
  }
  return whole;
}

/** Returns the text of a comment in one line, without the stars of a block. */
function textOf(value) {
  const lines = value.split('\n').map((line) => line.trim().replace(/^\*+/, ''));
  return lines.join(' ').replaceAll(/\s+/g, ' ').trim();
}

/** @param selectors the message for each rejected selector */
function refusing(selectors) {
  const entries = Object.entries(selectors);
  return {
    create: (context) =>
      Object.fromEntries(
        entries.map(([selector, message]) => [
          selector,
          (node) => context.report({ node, message }),
        ]),
      ),
  };
}
