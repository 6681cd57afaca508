export interface EndedCommand {
  /** The value is null if a signal ended the process. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function runInHost(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  input: Buffer | string,
): Promise<EndedCommand>;

export class CommandHost {
  constructor(env?: NodeJS.ProcessEnv);
  run(
    args: readonly string[],
    env: NodeJS.ProcessEnv,
    input: Buffer | string,
  ): Promise<EndedCommand>;
  end(): Promise<void>;
}
