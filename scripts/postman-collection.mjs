// Creates a Postman collection from an OpenAPI document.
import { promisify } from 'node:util';
import converter from 'openapi-to-postmanv2';

/** Fields that the converter generates on each run, or leaves to the user. */
const GENERATED = new Set(['id', '_postman_id']);
const OPTIONS = {
  folderStrategy: 'Tags',
  parametersResolution: 'Example',
  enableOptionalParameters: false,
};
/** Address of a service that was started with `npm start`. */
const BASE_URL = 'http://127.0.0.1:3000';
const SUCCESS = 200;
const WEBHOOKS = 'ledger/v1/webhooks';
/** Parameters that a request has in any case, by its path. */
const NEEDED = new Map([['ledger/v1/customers', 'email']]);
/**
 * Postman's runner sends every request of a collection, and that alone must not change any data.
 */
const UNLESS_ALLOWED = [
  "// Runs only if the variable allowChanges is 'yes'.",
  "if (pm.variables.get('allowChanges') !== 'yes') pm.execution.skipRequest();",
];
const UNLESS_CREATED = [
  '// Runs only on the endpoint that "Create a webhook endpoint" has created.',
  "if (!pm.variables.get('webhookId')) pm.execution.skipRequest();",
];
const UNLESS_FAILING = [
  '// Runs only if the variable failingDelivery has the webhook-id of a delivery that fails.',
  "if (!pm.variables.get('failingDelivery')) pm.execution.skipRequest();",
];
const KEEP_ID = [
  'if (pm.response.code === 200) {',
  "  pm.collectionVariables.set('webhookId', String(pm.response.json().results[0].id));",
  '}',
];
const FORGET_ID = ["if (pm.response.code === 200) pm.collectionVariables.unset('webhookId');"];
const CHANGING_VARIABLES = [
  {
    key: 'allowChanges',
    value: '',
    description: "'yes' sends the requests that change something, too.",
  },
];
const WEBHOOK_VARIABLES = [
  { key: 'webhookUrl', value: '', description: 'Your https URL that receives deliveries.' },
  { key: 'failingDelivery', value: '', description: 'The webhook-id of a delivery to skip.' },
];

/** @returns the collection, which is the same in each run for the same document */
export async function postmanCollection(document) {
  const input = { type: 'string', data: JSON.stringify(document) };
  const { result, reason, output } = await promisify(converter.convertV2)(input, OPTIONS);
  if (!result) throw new Error(`no Postman collection: ${reason}`);
  const { info, item } = stable(output[0].data);
  const { title, version } = document.info;
  return {
    info: { ...info, name: `${title} ${version}` },
    item: item.map(withSuccessAlone).map(withNeeded).map(withSafeRuns),
    auth: {
      type: 'basic',
      basic: [
        { key: 'username', value: '{{apiKey}}', type: 'string' },
        { key: 'password', value: 'x', type: 'string' },
      ],
    },
    variable: [
      { key: 'baseUrl', value: BASE_URL, description: 'Where the service listens.' },
      { key: 'apiKey', value: '', description: 'Your API key.' },
      ...(requestsOf(item).some(isWrite) ? CHANGING_VARIABLES : []),
      ...(requestsOf(item).some(isOfWebhooks) ? WEBHOOK_VARIABLES : []),
    ],
  };
}

/**
 * Makes a run skip requests that write unless they are allowed, and sorts them into an order that
 * works.
 */
function withSafeRuns(item) {
  if (item.item !== undefined) {
    return { ...item, item: item.item.map(withSafeRuns).sort((a, b) => placeOf(a) - placeOf(b)) };
  }
  const scripts = { prerequest: [], test: [] };
  if (isWrite(item)) scripts.prerequest.push(...UNLESS_ALLOWED);
  const { request } = isOfWebhooks(item) ? withOwnEndpoint(item, scripts) : item;
  const event = Object.entries(scripts)
    .filter(([, exec]) => exec.length > 0)
    .map(([listen, exec]) => ({ listen, script: { type: 'text/javascript', exec } }));
  return { ...item, request, event };
}

/** Makes the requests use an endpoint that the same run has created. */
function withOwnEndpoint({ request }, scripts) {
  const { method, url, body } = request;
  if (url.variable.length === 0) {
    if (method !== 'POST') return { request };
    scripts.test.push(...KEEP_ID);
    const raw = body.raw.replace(/("url": ")[^"]*/, '$1{{webhookUrl}}');
    return { request: { ...request, body: { ...body, raw } } };
  }
  scripts.prerequest.push(...UNLESS_CREATED);
  if (method === 'DELETE') scripts.test.push(...FORGET_ID);
  if (url.path.at(-1) === 'skip') {
    scripts.prerequest.push(...UNLESS_FAILING);
    body.raw = body.raw.replace(/("webhook_id": ")[^"]*/, '$1{{failingDelivery}}');
  }
  const variable = url.variable.map((each) => ({ ...each, value: '{{webhookId}}' }));
  return { request: { ...request, url: { ...url, variable } } };
}

/**
 * Returns the place of a request: requests that create come first, and requests that delete come
 * last.
 */
function placeOf({ request: { method, url } }) {
  if (method === 'DELETE') return 2;
  return method === 'POST' && url.variable.length === 0 ? 0 : 1;
}

function isWrite({ request }) {
  return request.method !== 'GET';
}

function isOfWebhooks({ request }) {
  return request.url.path.join('/').startsWith(WEBHOOKS);
}

function requestsOf(items) {
  return items.flatMap((each) => (each.item === undefined ? [each] : requestsOf(each.item)));
}

/** Keeps one saved answer for each request. The errors are in the OpenAPI document. */
function withSuccessAlone(item) {
  return item.item === undefined
    ? { ...item, response: item.response.filter(({ code }) => code === SUCCESS) }
    : { ...item, item: item.item.map(withSuccessAlone) };
}

/** Enables an optional parameter without which, or one in its place, a request is refused. */
function withNeeded(item) {
  if (item.item !== undefined) return { ...item, item: item.item.map(withNeeded) };
  const { url } = item.request;
  const needed = NEEDED.get(url.path.join('/'));
  const query = url.query.map((each) =>
    each.key === needed ? { ...each, disabled: false } : each,
  );
  return { ...item, request: { ...item.request, url: { ...url, query } } };
}

/** Removes generated names. Requests use the authentication of their collection. */
function stable(value) {
  if (Array.isArray(value)) return value.map(stable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, held]) => !GENERATED.has(key) && !(key === 'auth' && held === null))
      .map(([key, held]) => [key, stable(held)]),
  );
}
