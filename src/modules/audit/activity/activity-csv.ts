import { csvFile, type Column, type CsvStyle } from '../../../platform/files/csv.js';
import { changeText, valueText, wordsOf } from './activity-texts.js';
import { withoutPersonal, type ActivityEntry } from './activity.model.js';

/** Columns of the file. Only the changes have other words for people than for programs. */
function columnsFor(style: CsvStyle): readonly Column<ActivityEntry>[] {
  const textOf = style === 'spreadsheet' ? wordsOf : valueText;
  return [
    { name: 'time', kind: 'date-time', valueOf: ({ created }) => created },
    { name: 'by', kind: 'word', valueOf: ({ by }) => by },
    { name: 'application_id', kind: 'number', valueOf: ({ application_id }) => application_id },
    { name: 'kind', kind: 'word', valueOf: ({ kind }) => kind },
    { name: 'action', kind: 'text', valueOf: ({ action }) => action },
    { name: 'subject', kind: 'text', valueOf: ({ subject }) => subject },
    {
      name: 'changes',
      kind: 'text',
      valueOf: ({ changes, isNew }) =>
        changes.map((change) => changeText(change, isNew, textOf)).join('; '),
    },
  ];
}

/**
 * Writes entries as a CSV file.
 * @param isFull false to leave out the values of names, addresses and URLs
 */
export function activityCsv(
  batches: AsyncIterable<readonly ActivityEntry[]>,
  style: CsvStyle,
  isFull: boolean,
): AsyncGenerator<string> {
  return csvFile(columnsFor(style), style, isFull ? batches : masked(batches));
}

async function* masked(batches: AsyncIterable<readonly ActivityEntry[]>) {
  for await (const batch of batches) yield batch.map(withoutPersonal);
}
