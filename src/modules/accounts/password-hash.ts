import argon2 from 'argon2';

/** argon2id with what OWASP asks for at least: 19 MiB, 2 passes, 1 lane; about 30 ms of a core. */
const OPTIONS = { type: argon2.argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

let decoy: Promise<string> | undefined;

export function hashOfPassword(password: string): Promise<string> {
  return argon2.hash(password, OPTIONS);
}

export function isPassword(hash: string, password: string): Promise<boolean> {
  return argon2.verify(hash, password);
}

/** Takes as long as a comparison does, so that time tells nobody which e-mails there are. */
export async function compareWithNothing(password: string): Promise<void> {
  decoy ??= hashOfPassword('nobody has this password');
  await isPassword(await decoy, password);
}
