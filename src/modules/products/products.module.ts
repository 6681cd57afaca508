import { Feature } from '../../feature.js';
import { ProductEntity } from './product.entity.js';
import { ChangesModule } from '../changes/changes.module.js';
import { ProductChangeSource } from './http/product-change.source.js';
import { ProductsController } from './http/v2.1/products.controller.js';
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
