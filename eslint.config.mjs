import eslint from '@eslint/js';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

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
    files: ['test/**/*.ts'],
    rules: { 'max-lines-per-function': 'off' },
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
