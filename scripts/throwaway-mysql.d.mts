/** Types for the tests that start their own server. */
export interface ThrowawayServer {
  /** Ends with a slash; the name of a database can follow. */
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
