import { Module } from '@nestjs/common';
import { ChangesModule } from '../changes/changes.module.js';
import { ProductChangeSource } from './http/product-change.source.js';
import { ProductsController } from './http/v2.1/products.controller.js';
import { ProductsRepository } from './products.repository.js';
import { ProductsService } from './products.service.js';

@Module({
  imports: [ChangesModule],
  controllers: [ProductsController],
  providers: [ProductsService, ProductsRepository, ProductChangeSource],
  exports: [ProductsService],
})
export class ProductsModule {}
