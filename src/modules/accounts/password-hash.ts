import { hash, verify } from '@node-rs/argon2';

/** argon2id, which is its default, with what OWASP asks for at least: 19 MiB, 2 passes, 1 lane. */
const COSTS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

let decoy: Promise<string> | undefined;

/** Takes a core for some 20 ms, beside the thread that answers. */
export function hashOfPassword(password: string): Promise<string> {
  return hash(password, COSTS);
}

export function isPassword(passwordHash: string, password: string): Promise<boolean> {
  return verify(passwordHash, password);
}

/** Takes as long as a comparison does, so that time tells nobody which e-mails there are. */
export async function compareWithNothing(password: string): Promise<void> {
  decoy ??= hashOfPassword('nobody has this password');
  await isPassword(await decoy, password);
}
