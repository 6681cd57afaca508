// Starts swagger-ui on the reference page, with fixes for keyboards and screen readers, and with the
// user's own key.
'use strict';

const place = document.getElementById('reference');
const form = document.getElementById('key-form');
const KEY_SCHEME = 'apiKey';
const PASSWORD = 'x';

/**
 * Removes the examples of headers from an OpenAPI document, because swagger-ui would send them with
 * every call that is tried: one request id for all, and an ETag that matches nothing.
 */
function withoutHeaderExamples(spec) {
  const operations = Object.values(spec.paths ?? {}).flatMap((path) => Object.values(path));
  const own = operations.flatMap(({ parameters = [] }) => parameters);
  for (const parameter of [...own, ...Object.values(spec.components?.parameters ?? {})]) {
    if (parameter.in !== 'header') continue;
    delete parameter.example;
    delete parameter.schema?.example;
  }
  return spec;
}

/** Quotes a text for a shell. */
function quoted(text) {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Returns the curl command of a call, with the key in the variable of the guide's snippets. */
function curlOf(request) {
  const { url, method, headers = {}, body } = request.toJS();
  const others = Object.entries(headers).filter(([name]) => !/^authorization$/i.test(name));
  const hasKey = others.length < Object.keys(headers).length;
  const parts = [
    `curl -X ${method} ${quoted(url)}`,
    ...(hasKey ? ['-u "$API_KEY:x"'] : []),
    ...others.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(typeof body === 'string' ? [`-d ${quoted(body)}`] : []),
  ];
  return parts.join(' \\\n  ');
}

/** A plugin that replaces components of swagger-ui. */
function fixes({ React }) {
  const element = React.createElement;

  /**
   * Shows only the operations, because the page already has the title, the version and the key
   * form.
   */
  function ReferenceLayout({ getComponent, specSelectors }) {
    const isReady = specSelectors.loadingStatus() === 'success';
    return element(
      'div',
      { className: 'swagger-ui' },
      element(getComponent('SvgAssets')),
      element(getComponent('errors', true)),
      isReady
        ? element(getComponent('operations', true))
        : element('p', { role: 'status' }, 'Loading the operations …'),
    );
  }

  /** Shows text instead of a link, because a link inside a button cannot be reached by keyboard. */
  const DeepLink = ({ text }) => element('span', null, text);

  /** Shows a tried call with the key as a user name, which people can read and replace. */
  const CurlCommand = ({ request }) =>
    element(
      'div',
      { className: 'curl-command' },
      element('h4', null, 'curl'),
      element('pre', { className: 'curl microlight', tabIndex: 0 }, curlOf(request)),
    );

  return {
    components: { ReferenceLayout, DeepLink, curl: CurlCommand },
    statePlugins: {
      spec: {
        wrapActions: {
          updateJsonSpec: (update) => (spec) => update(withoutHeaderExamples(spec)),
        },
      },
    },
    // This page has its own form for the key.
    wrapComponents: { authorizeOperationBtn: () => () => null },
  };
}

/** Missing or wrong attributes of swagger-ui's elements, by selector. */
const ATTRIBUTE_FIXES = {
  'tr[data-param-name] :is(input, select, textarea):not([aria-label])': (field) => ({
    'aria-label': field.closest('tr').dataset.paramName,
  }),
  // This is a form field; its checkbox already has a label.
  'tr[data-property-name] :is(input[type="text"], select, textarea):not([aria-label])': (
    field,
  ) => ({
    'aria-label': field.closest('tr').dataset.propertyName,
  }),
  'textarea.body-param__text:not([aria-label])': () => ({ 'aria-label': 'Request body' }),
  'select.examples-select-element:not([aria-label])': () => ({ 'aria-label': 'Example' }),
  // A scrolling element must be focusable, or keyboard users cannot scroll it.
  '.live-responses-table pre:not([tabindex])': () => ({ tabindex: '0' }),
  // The role `region` hides the table semantics, and a region needs a name.
  'table[role="region"]': () => ({ role: 'table' }),
};

/** Fixes the elements each time swagger-ui has rendered more. */
function fixElements() {
  for (const [selector, attributesOf] of Object.entries(ATTRIBUTE_FIXES)) {
    for (const found of place.querySelectorAll(selector)) {
      for (const [name, value] of Object.entries(attributesOf(found))) {
        found.setAttribute(name, value);
      }
    }
  }
}

/** Makes swagger-ui's dark mode follow the system setting, which it does not do by itself. */
function followColourScheme() {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
  dark.addEventListener('change', follow);
  follow();
}

/**
 * Opens the first operation, unless the address names one. The action of swagger-ui would change
 * the address, so the store gets what that action sends.
 */
function openFirst() {
  const [[tag, group] = []] = ui.specSelectors.taggedOperations().entries();
  const id = group?.get('operations').first()?.getIn(['operation', 'operationId']);
  if (document.location.hash !== '' || id === undefined) return;
  const payload = { thing: ['operations', tag, id], shown: true };
  ui.getStore().dispatch({ type: 'layout_show', payload });
}

followColourScheme();
new MutationObserver(fixElements).observe(place, { childList: true, subtree: true });
const ui = SwaggerUIBundle({
  domNode: place,
  url: place.dataset.document,
  layout: 'ReferenceLayout',
  plugins: [fixes],
  deepLinking: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  syntaxHighlight: { activated: false },
  onComplete: openFirst,
  requestInterceptor: (request) => {
    // The request has no cookies, and the browser shows no login dialog after a 401.
    request.credentials = 'omit';
    return request;
  },
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  const key = new FormData(form).get('key').trim();
  const isAccepted = ui.preauthorizeBasic(KEY_SCHEME, key, PASSWORD) !== null;
  document.getElementById('key-status').textContent = isAccepted
    ? 'The key is sent with the calls that you try on this page, until you leave it.'
    : 'The operations are still loading. Try again in a moment.';
});
