// Starts swagger-ui on the reference page, with what it needs to be used by keyboard, by a screen
// reader and with one's own key.
'use strict';

const place = document.getElementById('reference');
const form = document.getElementById('key-form');
const KEY_SCHEME = 'apiKey';
const PASSWORD = 'x';

/** Parts of swagger-ui, replaced or mended. Its own names of components are the keys. */
function mended({ React }) {
  const element = React.createElement;

  /** The operations alone: the page around them has the title, the version and the key. */
  function ReferenceLayout({ getComponent, specSelectors }) {
    const isReady = specSelectors.loadingStatus() === 'success';
    return element(
      'div',
      { className: 'swagger-ui' },
      element(getComponent('SvgAssets')),
      element(getComponent('errors', true)),
      isReady
        ? element(getComponent('operations', true))
        : element('p', { role: 'status' }, 'The operations are being read …'),
    );
  }

  /** A link in the button that opens an operation could not be reached by keyboard. */
  const DeepLink = ({ text }) => element('span', null, text);

  return {
    components: { ReferenceLayout, DeepLink },
    // The form of this page takes the key.
    wrapComponents: { authorizeOperationBtn: () => () => null },
  };
}

/** What swagger-ui leaves out of its elements, or has wrong: attributes by selector. */
const MENDED_ELEMENTS = {
  'tr[data-param-name] :is(input, select, textarea):not([aria-label])': (field) => ({
    'aria-label': field.closest('tr').dataset.paramName,
  }),
  // A field of a form; its checkbox has a label.
  'tr[data-property-name] :is(input[type="text"], select, textarea):not([aria-label])': (
    field,
  ) => ({
    'aria-label': field.closest('tr').dataset.propertyName,
  }),
  'textarea.body-param__text:not([aria-label])': () => ({ 'aria-label': 'Request body' }),
  'select.examples-select-element:not([aria-label])': () => ({ 'aria-label': 'Example' }),
  // What scrolls must take the focus, or nobody without a mouse reads its end.
  '.live-responses-table pre:not([tabindex])': () => ({ tabindex: '0' }),
  // A table that is called a region is a table no more, and a region without a name.
  'table[role="region"]': () => ({ role: 'table' }),
};

/** Mends what is drawn, whenever more of it is. */
function mendElements() {
  for (const [selector, attributesOf] of Object.entries(MENDED_ELEMENTS)) {
    for (const found of place.querySelectorAll(selector)) {
      for (const [name, value] of Object.entries(attributesOf(found))) {
        found.setAttribute(name, value);
      }
    }
  }
}

/** swagger-ui has dark colours, and waits for somebody to ask for them. */
function followColourScheme() {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
  dark.addEventListener('change', follow);
  follow();
}

followColourScheme();
new MutationObserver(mendElements).observe(place, { childList: true, subtree: true });
const ui = SwaggerUIBundle({
  domNode: place,
  url: place.dataset.document,
  layout: 'ReferenceLayout',
  plugins: [mended],
  deepLinking: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  syntaxHighlight: { activated: false },
  requestInterceptor: (request) => {
    // Without cookies, and without the browser's own dialog where a key is refused.
    request.credentials = 'omit';
    return request;
  },
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  const key = new FormData(form).get('key').trim();
  const isTaken = ui.preauthorizeBasic(KEY_SCHEME, key, PASSWORD) !== null;
  document.getElementById('key-status').textContent = isTaken
    ? 'The key is sent with the calls that you try on this page, until you leave it.'
    : 'The operations are still being read. Try again in a moment.';
});
