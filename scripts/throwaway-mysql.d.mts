/** A server of its own for a test. */
export interface ThrowawayServer {
  /** Address that ends with a slash, so that the name of a database can follow. */
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
  kill(): Promise<void>;
}

export function findServer(): string | null;
export function startServer(
  program: string,
  options?: {
    readonly keepIn?: string;
    readonly bufferPool?: string;
    readonly durable?: boolean;
    readonly isJoining?: boolean;
    readonly runAs?: string;
    readonly address?: string;
    readonly within?: readonly string[];
    readonly more?: readonly string[];
  },
): Promise<ThrowawayServer>;
export function freePort(): Promise<number>;
