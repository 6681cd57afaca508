export { ItemNamesService } from './item-names.service.js';
export { SaleService } from './sale/sale.service.js';
