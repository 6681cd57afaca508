import eslint from '@eslint/js';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

/** A class of which a module may have an object of its own: it never changes, or it is filled once. */
const LASTING =
  /^(Command|EntitySchema|Logger|Map|Messages|RegExp|Set|TextDecoder|URL|WeakMap|WeakSet)$/;
const ON_MODULE_LEVEL = ':matches(Program, Program > ExportNamedDeclaration) > VariableDeclaration';
const NOTHING_LASTS =
  'It outlives the service: a test, and each service of a process, would find what another left.';
const NO_FIXED_WAIT =
  'Wait for an event, with `until` or `within`: test/support/processes and test/support/random have what else waits.';

export default tseslint.config(
  { ignores: ['dist/', 'data/', 'coverage/', 'openapi/'] },
  eslint.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      'max-lines': ['error', { max: 250, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      // Numbers in a template are what they say; everything else is still refused.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // A parameter that only its decorators use begins with an underscore.
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      // TypeORM and Nest declare their options as classes, and take plain objects.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // Modules of Nest are classes that hold decorators only.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
    },
  },
  {
    // No pattern whose time grows faster than the length of what it meets.
    files: ['src/**', 'assets/**', 'scripts/**'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': 'error',
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
    },
  },
  {
    // What can change belongs to the service, of which a process may have several.
    files: ['src/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...[
          `${ON_MODULE_LEVEL}[kind!="const"]`,
          `${ON_MODULE_LEVEL} > VariableDeclarator > NewExpression[callee.type="Identifier"]:not([callee.name=${LASTING}])`,
          `${ON_MODULE_LEVEL} > VariableDeclarator > NewExpression[callee.name=/^(Map|Set)$/][arguments.length=0]`,
          `${ON_MODULE_LEVEL} > VariableDeclarator:not([id.typeAnnotation.typeAnnotation.operator="readonly"]) > :matches(ArrayExpression[elements.length=0], ObjectExpression[properties.length=0])`,
          'PropertyDefinition[static=true]',
          'Property[key.name="useValue"] > NewExpression',
        ].map((selector) => ({ selector, message: NOTHING_LASTS })),
      ],
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: { 'max-lines-per-function': 'off' },
  },
  {
    // How long a fault lasts is a part of the tests in the two folders that are left out.
    files: ['test/**/*.test.ts'],
    ignores: ['test/faults/**', 'test/cluster/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...[
          'ImportDeclaration[source.value=/timers/] > ImportSpecifier[imported.name="setTimeout"]',
          'CallExpression[callee.name="setTimeout"]',
        ].map((selector) => ({ selector, message: NO_FIXED_WAIT })),
        {
          selector:
            'CallExpression[callee.property.name=/^toBeLessThan/][callee.object.callee.name="expect"] > MemberExpression > CallExpression > BinaryExpression[operator="-"] > CallExpression.left[callee.property.name="now"]',
          message: 'On a busy machine others run in between: measure with `stopwatch`.',
        },
      ],
    },
  },
  {
    // What runs in the browser.
    files: ['assets/*.js'],
    languageOptions: {
      sourceType: 'script',
      globals: {
        Chart: 'readonly',
        FormData: 'readonly',
        MutationObserver: 'readonly',
        SwaggerUIBundle: 'readonly',
        document: 'readonly',
        getComputedStyle: 'readonly',
        getSelection: 'readonly',
        matchMedia: 'readonly',
        navigator: 'readonly',
      },
    },
  },
  {
    files: ['**/*.mjs'],
    languageOptions: {
      globals: {
        AbortSignal: 'readonly',
        Buffer: 'readonly',
        URL: 'readonly',
        clearInterval: 'readonly',
        clearTimeout: 'readonly',
        console: 'readonly',
        fetch: 'readonly',
        performance: 'readonly',
        process: 'readonly',
        setInterval: 'readonly',
        setTimeout: 'readonly',
      },
    },
  },
);
