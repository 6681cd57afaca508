// Follows guides of docs/, each in a clean checkout: it writes their files, makes their changes and
// runs their commands. With `-- --short` it leaves out the commands that write recorded answers and
// statements. Usage: `npm run test:guides -- [--short] [adding-a-column …]`
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

const isShort = process.argv.includes('--short');
const named = process.argv.slice(2).filter((argument) => argument !== '--short');
const failed = [];
for (const guide of named.length > 0 ? named : GUIDES) {
  if (!(await withCheckout(guide, (folder) => follow(guide, folder)))) failed.push(guide);
}
for (const guide of failed) console.error(`docs/${guide}.md does not work.`);
process.exit(failed.length > 0 ? 1 : 0);

function follow(guide, folder) {
  // This links the same packages. If that is not possible, the first command installs them.
  spawnSync('cp', ['-al', 'node_modules', folder], { stdio: 'ignore' });
  writePageFiles(folder, filesOfPage(guide));
  makePageChanges(folder, changesOfPage(guide));
  const commands = commandsOfPage(guide);
  return commands.filter((line) => !isShort || !line.startsWith('UPDATE_')).every(run);

  function run(command) {
    console.log(`${guide}: ${command}`);
    return spawnSync('sh', ['-c', command], { cwd: folder, stdio: 'inherit' }).status === 0;
  }
}
