import { codeOf } from '../../platform/errors/is-error.js';
import { SettingError } from '../../config/read-value.js';

/**
 * Waits until the server listens.
 * @throws SettingError about HOST if its host name is unknown
 */
export async function reportUnknownHost<Result>(listening: Promise<Result>): Promise<Result> {
  try {
    return await listening;
  } catch (error) {
    if (!isUnknownHost(error)) throw error;
    throw new SettingError('HOST', 'this host name is unknown', '127.0.0.1');
  }
}

export function isUnknownHost(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOTFOUND' || code === 'EAI_AGAIN';
}
