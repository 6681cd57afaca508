export interface Product {
  readonly id: number;
  readonly vendor_id: number;
  readonly name: string;
}
