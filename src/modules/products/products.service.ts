import { Injectable } from '@nestjs/common';
import type { RecordBatch } from '../ledger/ledger.model.js';
import { LinesOfKind } from '../ledger/record-batch.model.js';
import { ProductRecords } from './product.records.js';
import { ProductsRepository } from './products.repository.js';

/** The products of the vendors. */
@Injectable()
export class ProductsService {
  constructor(private readonly repository: ProductsRepository) {}

  productBatch(): RecordBatch {
    return new LinesOfKind(new ProductRecords(this.repository));
  }
}
