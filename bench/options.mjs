// Reads the options of `npm run bench --`.
import { parseArgs } from 'node:util';

const USAGE = `npm run bench -- [options]
  --rows N            transactions in the ledger (1000000)
  --seconds N         duration of each load on each target per round (5)
  --rounds N          number of rounds (3)
  --only NAME,NAME    run only these loads or parts (import, records, start, memory, report, changes,
                      webhooks, pages)
  --memory-seconds N  duration of the memory measurement (300)
  --database FOLDER   keep the database there, or reuse it
  --json FILE         also write every figure as JSON`;

/** @param {string[]} names the names of all loads and parts */
export function readOptions(names) {
  const text = (value) => ({ type: 'string', default: value });
  try {
    const { values } = parseArgs({
      options: {
        rows: text('1000000'),
        seconds: text('5'),
        rounds: text('3'),
        'memory-seconds': text('300'),
        only: { type: 'string' },
        database: { type: 'string' },
        json: { type: 'string' },
      },
    });
    return {
      rows: wholeNumber(values.rows, 1000),
      seconds: wholeNumber(values.seconds, 1),
      rounds: wholeNumber(values.rounds, 1),
      memorySeconds: wholeNumber(values['memory-seconds'], 50),
      wanted: knownNames(values.only?.split(',') ?? names, names),
      database: values.database,
      json: values.json,
    };
  } catch (error) {
    console.error(`${error.message}\n\n${USAGE}\n\nLoads and parts: ${names.join(', ')}`);
    process.exit(2);
  }
}

function wholeNumber(text, least) {
  const number = Number(text);
  if (Number.isInteger(number) && number >= least) return number;
  throw new Error(`${text} must be an integer of at least ${least}`);
}

function knownNames(wanted, names) {
  const unknown = wanted.filter((name) => !names.includes(name));
  if (unknown.length === 0) return new Set(wanted);
  throw new Error(`unknown names in --only: ${unknown.join(', ')}`);
}
