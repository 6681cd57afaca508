import { runInNewContext } from 'node:vm';
import sdk from 'postman-collection';

export function importCollection(text) {
  const collection = new sdk.Collection(JSON.parse(text));
  const requests = [];
  collection.forEachItem((item) => requests.push(requestOf(item)));
  return {
    variables: collection.variables.toObject(),
    auth: { type: collection.auth.type, ...collection.auth.parameters().toObject() },
    requests,
  };
}

function requestOf({ name, request, responses, events }) {
  const { method, url, headers, body } = request;
  const enabled = headers.all().filter(({ disabled }) => disabled !== true);
  const scriptOf = (listen) =>
    events
      .all()
      .filter((event) => event.listen === listen)
      .map(({ script }) => script.toSource())
      .join('\n');
  return {
    name,
    method,
    url: url.toString(),
    headers: Object.fromEntries(enabled.map(({ key, value }) => [key, value])),
    body: body?.raw,
    inPath: url.variables.all().map(({ key, value }) => ({ key, value })),
    answers: responses.all().map(({ code }) => code),
    before: scriptOf('prerequest'),
    after: scriptOf('test'),
  };
}

/** Runs requests as Postman's runner does, with scripts and with variables that scripts change. */
export class CollectionRun {
  #variables;

  constructor(variables) {
    this.#variables = new Map(Object.entries(variables));
  }

  /** @returns the request with its values, or null if the script before it skips it */
  sent({ method, url, headers, body, inPath, before }) {
    let isSkipped = false;
    this.#run(before, { execution: { skipRequest: () => (isSkipped = true) } });
    if (isSkipped) return null;
    const values = new Map(inPath.map(({ key, value }) => [key, value]));
    const path = this.#filled(url.replace(/:(\w+)/g, (text, key) => values.get(key) ?? text));
    return { method, path, headers, body: body === undefined ? undefined : this.#filled(body) };
  }

  /** Runs the script after the request. */
  answered({ after }, { status, text }) {
    this.#run(after, { response: { code: status, json: () => JSON.parse(text) } });
  }

  #filled(text) {
    const values = [...this.#variables].map(([key, value]) => ({ key, value }));
    return new sdk.VariableScope(values).replaceIn(text);
  }

  #run(script, more) {
    const variables = this.#variables;
    const scope = {
      get: (name) => variables.get(name),
      set: (name, value) => variables.set(name, value),
      unset: (name) => variables.delete(name),
    };
    runInNewContext(script, { pm: { variables: scope, collectionVariables: scope, ...more } });
  }
}
