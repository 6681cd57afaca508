/** The compiler imports this for JSX, with `"jsxImportSource": "vendor-reporting-api"`. */
export * from 'preact/jsx-runtime';
