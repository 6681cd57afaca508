import { Feature } from '../../feature.js';
import { ProductEntity } from './product.entity.js';
import { ChangesModule } from '../../ledger/changes/changes.module.js';
import { ProductChangeSource, ProductsController } from './products.v2.1.controller.js';
import { ProductsRepository } from './products.repository.js';
import { ProductsService } from './products.service.js';

@Feature({
  imports: [ChangesModule],
  controllers: [ProductsController],
  providers: [ProductsService, ProductsRepository],
  exports: [ProductsService],
  entities: [ProductEntity],
  changes: [ProductChangeSource],
})
export class ProductsModule {}
