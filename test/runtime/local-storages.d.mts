export class LocalStorages {
  end(): void;
}
