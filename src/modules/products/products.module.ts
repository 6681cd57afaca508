import { Module } from '@nestjs/common';
import { ProductsRepository } from './products.repository.js';
import { ProductsService } from './products.service.js';

@Module({ providers: [ProductsService, ProductsRepository], exports: [ProductsService] })
export class ProductsModule {}
