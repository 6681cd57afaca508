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
/** Where `npm start` listens. */
const BASE_URL = 'http://127.0.0.1:3000';
const SUCCESS = 200;

/** @returns the same collection for the same document */
export async function postmanCollection(document) {
  const input = { type: 'string', data: JSON.stringify(document) };
  const { result, reason, output } = await promisify(converter.convertV2)(input, OPTIONS);
  if (!result) throw new Error(`no Postman collection: ${reason}`);
  const { info, item } = stable(output[0].data);
  const { title, version } = document.info;
  return {
    info: { ...info, name: `${title} ${version}` },
    item: item.map(withSuccessAlone),
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
    ],
  };
}

/** One saved answer for each request; the errors are in the OpenAPI document. */
function withSuccessAlone(item) {
  return item.item === undefined
    ? { ...item, response: item.response.filter(({ code }) => code === SUCCESS) }
    : { ...item, item: item.item.map(withSuccessAlone) };
}

/** Removes generated names; requests use the authentication of their collection. */
function stable(value) {
  if (Array.isArray(value)) return value.map(stable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, held]) => !GENERATED.has(key) && !(key === 'auth' && held === null))
      .map(([key, held]) => [key, stable(held)]),
  );
}
