export function runInHost(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  input: Buffer | string,
): Promise<{ status: number | null; stdout: string; stderr: string }>;
