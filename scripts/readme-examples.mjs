// Writes the example of the OpenAPI document of 3.0 for a list of transactions into README.md. With
// `--check` it writes nothing, and fails if the page differs.
import { readFileSync, writeFileSync } from 'node:fs';
import { formatted } from './formatted.mjs';

const PAGE = 'README.md';
const BEGIN = '<!-- example: written by scripts/readme-examples.mjs -->';
const END = '<!-- end of example -->';
const PATH = '/v3.0/transactions';

const text = readFileSync(PAGE, 'utf8');
const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
if (begin < 0 || end < begin) throw new Error(`${PAGE} has no place for the example`);
const { parameters, responses } = JSON.parse(readFileSync('openapi/v3.0.json', 'utf8')).paths[PATH]
  .get;
const query = parameters
  .filter(({ example, schema }) => example !== undefined && example !== schema.default)
  .map(({ name, example }) => `${name}=${example}`)
  .join('&');
const answer = JSON.stringify(responses[200].content['application/json'].example);
const call = `curl -u YOUR_KEY:x 'http://127.0.0.1:3000${PATH}?${query}'`;
const example = `\`\`\`sh\n${call}\n\`\`\`\n\n\`\`\`json\n${answer}\n\`\`\`\n`;
// The narrow width gives each property of an object a line of its own.
const shown = await formatted('example.md', example, { printWidth: 80 });
const written = `${text.slice(0, begin + BEGIN.length)}\n\n${shown}\n${text.slice(end)}`;
if (!process.argv.includes('--check')) writeFileSync(PAGE, written);
else if (written !== text) {
  console.error(`${PAGE} is out of date: npm run readme`);
  process.exitCode = 1;
}
