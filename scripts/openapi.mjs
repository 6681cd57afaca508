// Writes the OpenAPI document of each version, from the code and with real answers from the demo
// data, and the TypeScript types of each document. With `--check` it writes nothing, and fails if a
// file differs.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import openApiTypes, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import {
  ApiDocuments,
  documentFile,
  FIRST_AFFILIATE_ID,
  postmanFile,
  readAnswerSchemas,
  slugOf,
  VERSIONS,
} from '../dist/internals.js';
import { withExampleAnswers } from './example-answers.mjs';
import { exampleFailures } from './example-failures.mjs';
import { formatted } from './formatted.mjs';

const FOLDER = new URL('../openapi/', import.meta.url);
const isCheck = process.argv.includes('--check');
// The service reads these files at its start, and those of a new version do not exist yet.
for (const file of VERSIONS.flatMap((version) => [documentFile(version), postmanFile(version)])) {
  if (!isCheck && !existsSync(file)) writeFileSync(file, '{}\n');
}
await withExampleAnswers(async (shown, caller) => {
  const answers = [...shown, ...(await feedsFromTheStart(caller))];
  const failures = await exampleFailures(caller, answers);
  const examples = new Map(
    answers.map((example) => [
      example.operation,
      { ...exampleOf(example), failures: failures.get(example.operation) },
    ]),
  );
  for (const version of VERSIONS) {
    const schemas = readAnswerSchemas(version);
    const document = caller.app.get(ApiDocuments).documentOf(version, schemas, examples);
    const file = committed(documentFile(version));
    writeOrCheck(file, await formatted(fileURLToPath(file), JSON.stringify(document)));
    // This is the same text that `npx openapi-typescript` writes.
    const types = astToString(await openApiTypes(JSON.stringify(document)));
    writeOrCheck(new URL(`${slugOf(version)}.d.ts`, file), COMMENT_HEADER + types);
  }
});

/**
 * Makes calls without a paykey as an affiliate of the demo data, because a vendor would get 100
 * sales.
 */
async function feedsFromTheStart(caller) {
  const key = await caller.keyOf(FIRST_AFFILIATE_ID);
  const paths = ['/v2.0/latest-transactions', '/v2.0/latest-affiliates-transactions'];
  const examples = [];
  for (const path of paths) {
    const answer = await caller.call('GET', path, key);
    examples.push({ operation: `GET ${path}`, method: 'GET', path, key, answer });
  }
  return examples;
}

/** Returns the committed file of a document. The built service has copies of them. */
function committed(file) {
  return new URL(basename(file.pathname), FOLDER);
}

function writeOrCheck(file, written) {
  if (!isCheck) writeFileSync(file, written);
  else if (!existsSync(file) || written !== readFileSync(file, 'utf8')) {
    console.error(`${fileURLToPath(file)} is out of date: npm run openapi`);
    process.exitCode = 1;
  }
}

function exampleOf({ operation, path, body, answer }) {
  const url = new URL(path, 'http://127.0.0.1');
  const sent = url.pathname.split('/');
  const template = operation.slice(operation.indexOf('/')).split('/');
  const inPath = template.flatMap((part, at) =>
    part.startsWith('{') ? [[part.slice(1, -1), decodeURIComponent(sent[at])]] : [],
  );
  return { parameters: Object.fromEntries([...inPath, ...url.searchParams]), body, answer };
}
