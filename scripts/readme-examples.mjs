// Writes a call and its real answer for each operation into README.md. `--check` writes nothing and
// fails where README.md differs.
import { readFileSync, writeFileSync } from 'node:fs';
import prettier from 'prettier';
import { withExampleAnswers } from './example-answers.mjs';

const BEGIN = '<!-- examples: written by scripts/readme-examples.mjs -->';
const END = '<!-- end of examples -->';

await withExampleAnswers(async (examples) => {
  const text = await prettier.format(examples.map(shown).join('\n'), { parser: 'markdown' });
  const written = withExamples(text);
  if (!process.argv.includes('--check')) writeFileSync('README.md', written);
  else if (written !== readFileSync('README.md', 'utf8')) {
    console.error('README.md is not what the service answers: npm run readme');
    process.exitCode = 1;
  }
  // The README is about the service as it comes.
}, []);

function shown({ method, path, body, answer }) {
  const sent =
    body === undefined
      ? ''
      : ` -X ${method} -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
  const command = `curl -u YOUR_KEY:x${sent} 'http://127.0.0.1:3000${path}'`;
  return `\`\`\`sh\n${command}\n\`\`\`\n\n\`\`\`json\n${JSON.stringify(answer)}\n\`\`\`\n`;
}

function withExamples(text) {
  const readme = readFileSync('README.md', 'utf8');
  const begin = readme.indexOf(BEGIN);
  const end = readme.indexOf(END);
  if (begin < 0 || end < begin) throw new Error('README.md has no place for the examples');
  return `${readme.slice(0, begin + BEGIN.length)}\n\n${text}\n${readme.slice(end)}`;
}
