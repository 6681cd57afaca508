// Starts swagger-ui on the reference page, with fixes for keyboards and screen readers, and with the
// user's own key.
'use strict';

const place = document.getElementById('reference');
const form = document.getElementById('key-form');
const KEY_SCHEME = 'apiKey';
const PASSWORD = 'x';

/** The month of the examples in the OpenAPI documents: June 2025. */
const EXAMPLES = { year: 2025, month: 6 };

/** Returns the number of months from that of the examples to last month in UTC. */
function monthsSinceExamples() {
  const now = new Date();
  return (now.getUTCFullYear() - EXAMPLES.year) * 12 + now.getUTCMonth() - EXAMPLES.month;
}

/** Returns the number of the last day of a month, which may be beyond those of its year. */
function lastDayOf(year, month) {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** Moves a day by some months. The last day of a month becomes the last day of the other one. */
function moved([year, month, day], months) {
  const [own, last] = [lastDayOf(year, month), lastDayOf(year, month + months)];
  const other = new Date(
    Date.UTC(year, month - 1 + months, day === own ? last : Math.min(day, last)),
  );
  return other.toISOString().slice(0, 10);
}

/** Returns an OpenAPI document whose examples are of last month in UTC, and not of June 2025. */
function withExamplesOfLastMonth(spec) {
  const months = monthsSinceExamples();
  const text = JSON.stringify(spec).replaceAll(
    /(?<!\d)(202[45])-(\d\d)-(\d\d)(?!\d)/g,
    (_, ...parts) => moved(parts.slice(0, 3).map(Number), months),
  );
  return JSON.parse(text);
}

/**
 * Changes the examples of the parameters of an OpenAPI document, because swagger-ui sends them with
 * every call that is tried. Days of last month stay. Headers have no example: it would be one
 * request id for all, and an ETag that matches nothing. The example of another optional parameter,
 * which would leave out most results, is in its description.
 */
function withUsefulExamples(spec) {
  const month = moved([EXAMPLES.year, EXAMPLES.month, 1], monthsSinceExamples()).slice(0, 7);
  const operations = Object.values(spec.paths ?? {}).flatMap((path) => Object.values(path));
  const own = operations.flatMap(({ parameters = [] }) => parameters);
  for (const parameter of [...own, ...Object.values(spec.components?.parameters ?? {})]) {
    const { example } = parameter;
    if (String(example).startsWith(`${month}-`)) continue;
    if (parameter.in === 'header' || (parameter.in === 'query' && !parameter.required)) {
      delete parameter.example;
      delete parameter.schema?.example;
      const hasDefault = parameter.schema?.default !== undefined;
      if (parameter.in === 'query' && example !== undefined && !hasDefault) {
        parameter.description = `${parameter.description ?? ''} For example \`${example}\`.`;
      }
    }
  }
  return spec;
}

/** Says *Success* without the internal code, which the answer has; errors keep theirs. */
function withPlainSuccess(spec) {
  const operations = Object.values(spec.paths ?? {}).flatMap((path) => Object.values(path));
  for (const response of operations.flatMap(({ responses = {} }) => Object.values(responses))) {
    response.description = response.description?.replace(/^2000 (?=Success)/, '');
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

  /** Every operation can be tried at once. The button only restores a body that was edited. */
  const TryItOutButton = ({ hasUserEditedBody, onResetClick }) =>
    hasUserEditedBody
      ? element('button', { className: 'btn try-out__btn reset', onClick: onResetClick }, 'Reset')
      : null;

  return {
    components: { ReferenceLayout, DeepLink, TryItOutButton, curl: CurlCommand },
    statePlugins: {
      spec: {
        wrapActions: {
          updateJsonSpec: (update) => (spec) =>
            update(withPlainSuccess(withUsefulExamples(withExamplesOfLastMonth(spec)))),
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
  'pre:not([tabindex])': () => ({ tabindex: '0' }),
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
 * Opens a part of swagger-ui. Its own actions would add entries to the history, so the store gets
 * what they send.
 */
function show(...thing) {
  ui.getStore().dispatch({ type: 'layout_show', payload: { thing, shown: true } });
}

/** Returns the link of the list to the operation that the address names; undefined if none. */
function namedLink() {
  const links = [...document.querySelectorAll('#operations a')];
  return links.find(({ hash }) => hash === document.location.hash);
}

/** Opens the first operation, unless the address names one. */
function openFirst() {
  const [[tag, group] = []] = ui.specSelectors.taggedOperations().entries();
  const id = group?.get('operations').first()?.getIn(['operation', 'operationId']);
  if (namedLink() !== undefined || id === undefined) return;
  show('operations', tag, id);
}

/** Opens the operation of the list that the address names, and moves the focus to it. */
function openNamed() {
  const link = namedLink();
  if (link === undefined) return;
  const [, tag, id] = decodeURIComponent(link.hash).split('/');
  show('operations-tag', tag);
  show('operations', tag, id);
  requestAnimationFrame(() => {
    const operation = document.getElementById(link.dataset.part);
    operation?.scrollIntoView();
    operation?.querySelector('.opblock-summary-control').focus({ preventScroll: true });
  });
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
addEventListener('hashchange', openNamed);
form.addEventListener('submit', (event) => {
  event.preventDefault();
  const key = new FormData(form).get('key').trim();
  const isAccepted = ui.preauthorizeBasic(KEY_SCHEME, key, PASSWORD) !== null;
  document.getElementById('key-status').textContent = isAccepted
    ? 'The key is sent with the calls that you try on this page, until you leave it.'
    : 'The operations are still loading. Try again in a moment.';
});
