// Writes a call and its real answer for each operation into docs/examples.md, and one of them into
// README.md. With `--check` it writes nothing, and fails if a page differs.
import { readFileSync, writeFileSync } from 'node:fs';
import { withExampleAnswers } from './example-answers.mjs';
import { formatted } from './formatted.mjs';

const BEGIN = '<!-- examples: written by scripts/readme-examples.mjs -->';
const END = '<!-- end of examples -->';
const FIRST_CALL = 'GET /v3.0/transactions';

// The pages describe the service without added modules.
await withExampleAnswers(async (examples) => {
  await update('docs/examples.md', examples);
  const first = examples.filter(({ operation }) => operation === FIRST_CALL);
  await update('README.md', first);
}, []);

async function update(page, examples) {
  const text = readFileSync(page, 'utf8');
  const written = withExamples(page, text, await markdownOf(examples));
  if (!process.argv.includes('--check')) writeFileSync(page, written);
  else if (written !== text) {
    console.error(`${page} is out of date: npm run readme`);
    process.exitCode = 1;
  }
}

function markdownOf(examples) {
  // The narrow width gives each property of an object a line of its own.
  return formatted('examples.md', examples.map(shown).join('\n'), { printWidth: 80 });
}

function shown({ method, path, key, body, answer }) {
  const sent =
    body === undefined
      ? ''
      : ` -X ${method} -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
  const command = `curl${key === null ? '' : ' -u YOUR_KEY:x'}${sent} 'http://127.0.0.1:3000${path}'`;
  return `\`\`\`sh\n${command}\n\`\`\`\n\n\`\`\`json\n${JSON.stringify(answer)}\n\`\`\`\n`;
}

function withExamples(page, text, examples) {
  const begin = text.indexOf(BEGIN);
  const end = text.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`${page} has no place for the examples`);
  return `${text.slice(0, begin + BEGIN.length)}\n\n${examples}\n${text.slice(end)}`;
}
