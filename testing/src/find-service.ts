import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Environment variable with the folder of the service. */
const VARIABLE = 'VENDOR_REPORTING_API';
/** Field of a package.json, `{ "service": FOLDER }`, with a folder relative to it. */
const FIELD = 'vendorReportingApi';
const HOW = `Set ${VARIABLE} to the folder of the service, or write "${FIELD}": { "service": "FOLDER" } into the package.json.`;

/**
 * Finds the folder of the built service: that of the environment variable, or else of the field in
 * the nearest package.json that has it.
 * @param from folder from which package.json files are looked for, upwards
 * @throws Error with one line that says what to do
 */
export function findService(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  from: string = process.cwd(),
): string {
  const variable = environment[VARIABLE] ?? '';
  const folder = variable === '' ? namedAbove(from) : resolve(variable);
  if (folder === undefined) throw new Error(`The service is not named. ${HOW}`);
  if (existsSync(join(folder, 'dist', 'testing-host.js'))) return folder;
  if (!existsSync(folder))
    throw new Error(`The folder of the service, ${folder}, is missing. ${HOW}`);
  throw new Error(`The service in ${folder} is not built: run \`npm run build\` there. ${HOW}`);
}

/** Returns the service that the package.json of a folder, or of one above it, names. */
function namedAbove(folder: string): string | undefined {
  const file = join(folder, 'package.json');
  const service = existsSync(file) ? serviceOf(readFileSync(file, 'utf8'), file) : undefined;
  if (service !== undefined) return resolve(folder, service);
  const parent = dirname(folder);
  return parent === folder ? undefined : namedAbove(parent);
}

function serviceOf(text: string, file: string): string | undefined {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch (error) {
    throw new Error(`${file} is not JSON.`, { cause: error });
  }
  const service = fieldOf(fieldOf(read, FIELD), 'service');
  return typeof service === 'string' && service !== '' ? service : undefined;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}
