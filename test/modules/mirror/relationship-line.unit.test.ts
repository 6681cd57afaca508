import { describe, expect, it } from '@jest/globals';
import { relationshipLine } from '../../../src/modules/mirror/records/affiliate-lines.js';

function lineOf(custom_sales_page_url: string) {
  const terms = { affiliate_id: 7, product_id: '10', created: '2025-05-01T08:00:00Z' };
  return relationshipLine({ ...terms, status: 'approved', custom_sales_page_url });
}

describe('the sales page of a relationship of an upstream', () => {
  it('is kept as it is', () => {
    const { line, changes } = lineOf('https://x.example/a');
    expect(line).toMatchObject({
      custom_sales_page_url: 'https://x.example/a',
      status: 'APPROVED',
    });
    expect(changes).toEqual([]);
  });

  it('is left empty and reported if a browser would run it', () => {
    const { line, changes } = lineOf('javascript:alert(1)');
    expect(line).toMatchObject({ affiliate_id: 7, custom_sales_page_url: null });
    expect(changes).toEqual([
      {
        field: 'custom_sales_page_url',
        text: 'is not an http or https address, so it is left empty',
      },
    ]);
  });
});
