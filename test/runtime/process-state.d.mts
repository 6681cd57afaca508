export class ProcessState {
  setVariables(variables: NodeJS.ProcessEnv): void;
  hasNewListeners(event: string): boolean;
  restore(): void;
}
