import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

export const DOCKER = new URL('../../../docker/', import.meta.url);

export interface ComposeService {
  readonly image: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly tmpfs?: readonly string[];
  readonly ports?: readonly string[];
  readonly networks: readonly string[];
  readonly read_only: boolean;
  readonly cap_drop: readonly string[];
  readonly security_opt: readonly string[];
  readonly stop_grace_period?: string;
  readonly depends_on?: readonly string[] | Readonly<Record<string, unknown>>;
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

const REQUIRED = /\$\{(\w+):\?[^}]*\}/g;
const KNOWN = /\$\{(\w+)\}/g;
const DEFAULTED = /\$\{\w+:-([^}]*)\}/g;

/** Returns the text of a file in docker/. */
export function textOf(name: string): string {
  return readFileSync(new URL(name, DOCKER), 'utf8');
}

/** Returns the variables that a Compose file requires. */
export function requiredVariables(name: string): string[] {
  return [...new Set([...textOf(name).matchAll(REQUIRED)].map(([, variable = '']) => variable))];
}

/**
 * Returns a Compose file as `docker compose config` reads it, with only the required variables set.
 */
export function composeFile(name: string): ComposeFile {
  const written = JSON.stringify(parse(textOf(name), { merge: true }));
  return JSON.parse(written, (_, value: unknown) =>
    typeof value === 'string' ? interpolated(value) : value,
  ) as ComposeFile;
}

function interpolated(text: string): string {
  const value = (_: string, variable: string) => `${'0123456789abcdef'.repeat(4)}${variable}`;
  return text.replace(REQUIRED, value).replace(KNOWN, value).replace(DEFAULTED, '$1');
}
