export declare class OpenResources {
  expectClosed(looks?: number): Promise<void>;
}
