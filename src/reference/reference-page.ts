import { VERSIONS, type ApiVersion } from '../common/api-versions.js';

/** The paths of what the page loads. */
export interface PageFiles {
  readonly styles: readonly string[];
  readonly scripts: readonly string[];
}

/** The page of a version as HTML: a shell around the place that the scripts fill. */
export function referencePage(version: ApiVersion, { styles, scripts }: PageFiles): string {
  const document = `/openapi/v${version}.json`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Reference of version ${version} – Vendor Reporting API</title>
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
${styles.map((path) => `<link rel="stylesheet" href="${path}">`).join('\n')}
${scripts.map((path) => `<script src="${path}" defer></script>`).join('\n')}
</head>
<body>
<a class="skip" href="#operations">Skip to the operations</a>
<header>
<strong>Vendor Reporting API</strong>
<nav aria-label="Site"><a href="/">Start</a> <a href="/docs" aria-current="true">Reference</a> <a href="/account">Account</a></nav>
</header>
<main>
<h1>Reference</h1>
<nav aria-label="Versions">${VERSIONS.map((each) => versionLink(each, version)).join(' ')}</nav>
<p>Every operation, with its parameters, its answers and its errors. The same for tools: <a href="${document}">the OpenAPI document of version ${version}</a>.</p>
<form id="key-form">
<label for="key">API key</label>
<div class="row">
<input id="key" name="key" type="password" autocomplete="off" required aria-describedby="key-status">
<button>Use this key</button>
</div>
<p id="key-status" role="status">With a key you can try each operation here, on your own data. It is sent as the user name, with the password x, and kept nowhere.</p>
</form>
<h2 id="operations" tabindex="-1">Operations of version ${version}</h2>
<noscript><p>This part needs JavaScript. The OpenAPI document holds the same.</p></noscript>
<div id="reference" data-document="${document}"></div>
</main>
</body>
</html>
`;
}

function versionLink(version: ApiVersion, current: ApiVersion): string {
  const state = version === current ? ' aria-current="page"' : '';
  return `<a href="/docs/v${version}"${state}>Version ${version}</a>`;
}
