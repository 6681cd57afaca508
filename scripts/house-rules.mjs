// Rules for the linter that hold what this project agreed on. Each refuses the syntax of its selectors.

/** A class of which a module may have an object of its own: it never changes, or it is filled once. */
const LASTING =
  /^(Command|EntitySchema|Logger|Map|Messages|RegExp|Set|TextDecoder|URL|WeakMap|WeakSet)$/;
const ON_MODULE_LEVEL = ':matches(Program, Program > ExportNamedDeclaration) > VariableDeclaration';
const NOTHING_LASTS =
  'It outlives the service: a test, and each service of a process, would find what another left.';
const NO_FIXED_WAIT =
  'Wait for an event, with `until` or `within`: test/support/processes and test/support/random have what else waits.';
const NO_CLOCK = 'On a busy machine others run in between: measure with `stopwatch`.';
const WRITTEN_OUT =
  'Write the items out: a spread of a literal hides what it holds from whoever reads or searches.';

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
      'JSXSpreadAttribute > ObjectExpression': WRITTEN_OUT,
    }),
  },
};

/** @param selectors the message for each selector that is refused */
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
