import { Command } from 'commander';
import { partsOf, type ExtensionDeclaration, type InstalledExtension } from '../../feature.js';
import { eraseExtensionCommand } from '../../modules/privacy/extension-rows/erase-extension.command.js';
import type { JsonOption } from '../../platform/commands/options.js';
import { printLine, printList } from '../../platform/commands/output.js';
import { loadModule, loadModules } from '../installed-features.js';
import { reportingStartErrors } from '../start-errors.js';
import { diagnose } from './doctor.js';
import { loadExtensions } from './load-extensions.js';
import { newExtensionCommand } from './new-extension.js';
import { RegisteredParts, tablesOf } from './registered-parts.js';

/** Builds `extension`. Except for `erase`, its commands need no database. */
export function extensionCommand(): Command {
  return new Command('extension')
    .description('write an extension; list and check those that EXTENSIONS names; erase their data')
    .addCommand(newExtensionCommand())
    .addCommand(listCommand())
    .addCommand(doctorCommand())
    .addCommand(eraseExtensionCommand());
}

function listCommand(): Command {
  return new Command('list')
    .description('list what each extension adds to the service')
    .option('--json', 'print a line of JSON for each', false)
    .action(({ json }: JsonOption) =>
      reportingStartErrors(async () => {
        printList(await listed(), json, linesOf, 'EXTENSIONS names no extension.');
      }),
    );
}

function doctorCommand(): Command {
  return new Command('doctor')
    .description('check each extension; exit status 1: a problem was found')
    .action(() =>
      reportingStartErrors(async () => {
        const found = await diagnose();
        for (const { extension, problems } of found) {
          for (const problem of problems) printLine(problem);
          if (problems.length === 0) printLine(`Extension ${extension}: no problem found.`);
        }
        if (found.length === 0) printLine('EXTENSIONS names no extension.');
        process.exitCode = Number(found.some(({ problems }) => problems.length > 0));
      }),
    );
}

async function listed() {
  const extensions = await loadExtensions();
  if (extensions.length === 0) return [];
  const modules = await loadModules();
  const registered = await RegisteredParts.of(modules, modules.map(partsOf));
  const found: Listed[] = [];
  for (const each of extensions) {
    const extension = await loadModule(each);
    await registered.take(extension);
    found.push({ ...namesOf(extension), operations: await registered.operations(extension) });
  }
  return found;
}

type Listed = ReturnType<typeof namesOf> & {
  readonly operations: Awaited<ReturnType<RegisteredParts['operations']>>;
};

function namesOf({ declaration, version, parts }: InstalledExtension) {
  const { name, compatibility } = declaration;
  return {
    name,
    version,
    compatibility,
    pages: pagesOf(declaration),
    commands: Object.keys(declaration.commands ?? {}),
    settings: Object.values(declaration.settings ?? {}).map((setting) => setting.name),
    tables: tablesOf(parts),
  };
}

function pagesOf({ pages = {} }: ExtensionDeclaration): string[] {
  return Object.values(pages).map(({ path }) => path);
}

function linesOf(extension: Listed): string[] {
  const { name, version, compatibility, operations, ...lists } = extension;
  const calls = operations.map(({ method, path }) => `${method} ${path}`);
  const parts = Object.entries({ operations: calls, ...lists }).filter(
    ([, list]) => list.length > 0,
  );
  return [
    `${name} ${version}, for versions ${compatibility} of the service`,
    ...parts.map(([kind, list]) => `  ${kind}: ${list.join(', ')}`),
  ];
}
