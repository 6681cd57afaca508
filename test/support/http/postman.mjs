import sdk from 'postman-collection';

export function importCollection(text, variables) {
  const collection = new sdk.Collection(JSON.parse(text));
  const scope = new sdk.VariableScope(
    Object.entries(variables).map(([key, value]) => ({ key, value })),
  );
  const requests = [];
  collection.forEachItem((item) => requests.push(requestOf(item, scope)));
  return {
    variables: collection.variables.toObject(),
    auth: { type: collection.auth.type, ...collection.auth.parameters().toObject() },
    requests,
  };
}

function requestOf({ name, request, responses }, scope) {
  const { method, url, headers, body } = request;
  const enabled = headers.all().filter(({ disabled }) => disabled !== true);
  return {
    name,
    method,
    url: scope
      .replaceIn(url.toString())
      .replace(/:(\w+)/g, (text, key) => url.variables.one(key)?.value ?? text),
    headers: Object.fromEntries(enabled.map(({ key, value }) => [key, value])),
    body: body?.raw,
    inPath: url.variables.all().map(({ key, value }) => ({ key, value })),
    answers: responses.all().map(({ code }) => code),
  };
}
