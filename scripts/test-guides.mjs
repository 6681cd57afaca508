// Follows guides of docs/, each in a clean checkout: it writes their files, makes their changes and
// runs their commands. With `-- --short` it follows all of them in one checkout, runs what they have
// in common once, and leaves out the commands that write recorded answers and statements.
// Usage: `npm run test:guides -- [--short] [adding-a-column …]`
import { spawnSync } from 'node:child_process';
import { withCheckout } from './checkout.mjs';
import {
  changesOfPage,
  commandsOfPage,
  filesOfPage,
  makePageChanges,
  writePageFiles,
} from './page-files.mjs';

const GUIDES = ['adding-a-column', 'adding-a-kept-sum', 'adding-a-page', 'adding-a-command'];
const TESTS = /^npm test -- --selectProjects ([\w ]+) -- (.+)$/;

const isShort = process.argv.includes('--short');
const named = process.argv.slice(2).filter((argument) => argument !== '--short');
const guides = named.length > 0 ? named : GUIDES;
const failed = [];
for (const together of isShort ? [guides] : guides.map((guide) => [guide])) {
  const isGood = await withCheckout('guides', (folder) => follow(together, folder));
  if (!isGood) failed.push(...together);
}
for (const guide of failed) console.error(`docs/${guide}.md does not work.`);
process.exit(failed.length > 0 ? 1 : 0);

function follow(together, folder) {
  // This links the same packages. If that is not possible, the first command installs them.
  spawnSync('cp', ['-al', 'node_modules', folder], { stdio: 'ignore' });
  for (const guide of together) {
    writePageFiles(folder, filesOfPage(guide));
    makePageChanges(folder, changesOfPage(guide));
  }
  const commands = together.flatMap(commandsOfPage);
  return (isShort ? shortened(commands) : commands).every(run);

  function run(command) {
    console.log(`${together.join(', ')}: ${command}`);
    return spawnSync('sh', ['-c', command], { cwd: folder, stdio: 'inherit' }).status === 0;
  }
}

/** Returns each command once, and one test run for the tests of each database server. */
function shortened(commands) {
  const runs = new Map();
  for (const [, projects, files] of commands.flatMap((line) => [line.match(TESTS) ?? []])) {
    if (projects === undefined) continue;
    const server = projects.includes('mysql') ? 'mysql' : 'unit sqlite';
    runs.set(server, new Set([...(runs.get(server) ?? []), ...files.split(' ')]));
  }
  const others = commands.filter((line) => !TESTS.test(line) && !line.startsWith('UPDATE_'));
  return [
    ...new Set(others),
    ...Array.from(runs, ([projects, files]) => testRun(projects, [...files])),
  ];
}

function testRun(projects, files) {
  return `npm test -- --selectProjects ${projects} -- ${files.join(' ')}`;
}
