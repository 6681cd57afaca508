export { SaleService } from './sale/sale.service.js';
