import { addressOf, type ReportQuery, type Role } from './report-query.js';

/** A link to a list as a file. */
export interface DownloadLink {
  readonly label: string;
  readonly path: string;
}

const CSV = [['CSV', 'csv']] as const;
const ALL_FORMATS = [...CSV, ['NDJSON', 'ndjson'], ['Parquet', 'parquet']] as const;

/** Returns the downloads of a list: all formats for a vendor, CSV for an affiliate. */
export function downloadsOf(
  list: string,
  query: ReportQuery,
  role: Role,
  filter: Readonly<Record<string, string>> = {},
): DownloadLink[] {
  return (role === 'vendor' ? ALL_FORMATS : CSV).map(([label, format]) => ({
    label,
    path: addressOf(`${list}.${format}`, { ...query, role }, filter),
  }));
}

export function Downloads({ links }: { readonly links: readonly DownloadLink[] }) {
  return (
    <>
      {links.map(({ label, path }) => (
        <>
          {' '}
          <a class="button quiet" href={path}>
            Download as {label}
          </a>
        </>
      ))}
    </>
  );
}
