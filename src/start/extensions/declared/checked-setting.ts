type Plain = Readonly<Record<string, unknown>>;

/** Returns what is wrong with a setting of an extension, or null. */
export function problemOfSetting(key: string, setting: Plain): string | null {
  const { name, purpose } = setting;
  if (!isText(name)) return `${key} in "settings" has no text "name"`;
  const problem = isText(purpose) ? problemOfKind(setting) : 'has no text "purpose"';
  return problem === null ? null : `the setting ${name} ${problem}`;
}

function problemOfKind(setting: Plain): string | null {
  const { kind } = setting;
  switch (kind) {
    case 'integer':
      return problemOfInteger(setting);
    case 'flag':
      return problemOfFlag(setting);
    case 'folder':
    case 'file':
      return isText(setting.example) ? null : 'has no text "example"';
    case 'url':
      return isText(setting.example) && isText(setting.with)
        ? null
        : 'has no text "example" or no text "with", the name of a setting';
    case 'secret':
      return Number.isInteger(setting.min) && Number(setting.min) >= 1 && isText(setting.with)
        ? null
        : 'has no positive integer "min" or no text "with", the name of a setting';
    default:
      return `has the kind ${written(kind)}, and not integer, flag, folder, file, url or secret`;
  }
}

function problemOfInteger({ min, max, default: value }: Plain): string | null {
  const numbers = [min, value, max];
  if (!numbers.every(Number.isSafeInteger)) return 'has no integers "min", "max" and "default"';
  const isWithin = Number(min) <= Number(value) && Number(value) <= Number(max);
  return isWithin
    ? null
    : `has the default ${String(value)}, which is not from ${String(min)} to ${String(max)}`;
}

function problemOfFlag({ default: value, inProduction }: Plain): string | null {
  if (typeof value !== 'boolean') return 'has a default that is neither true nor false';
  const isKnown = inProduction === undefined || typeof inProduction === 'boolean';
  return isKnown ? null : 'has an "inProduction" that is neither true nor false';
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function written(value: unknown): string {
  return typeof value === 'string' ? value : `a ${typeof value}`;
}
