import { describe, expect, it } from '@jest/globals';
import { tableUsesOf } from '../../../testing/src/sql/table-uses.js';

/** Returns the tables with their columns, such as `transactions by vendor_id, arrival`. */
function usesOf(sql: string): string[] {
  return tableUsesOf(sql).map(({ table, named }) => `${table} by ${[...named].join(', ')}`);
}

describe('what a statement names of its tables', () => {
  it.each([
    ['SELECT a FROM t WHERE vendor_id = ? AND day BETWEEN ? AND ?', ['t by vendor_id']],
    ['SELECT a FROM t WHERE vendor_id IN (?, ?) ORDER BY a FOR UPDATE', ['t by vendor_id']],
    ['SELECT a FROM t WHERE vendor_id > ? AND day = ?', ['t by day']],
    ['SELECT a FROM t WHERE vendor_id = ? OR day = ?', ['t by ']],
    ['SELECT a FROM t WHERE ((v = ? AND w = ?) OR (v = ? AND x = ?))', ['t by v']],
    ['SELECT a FROM t GROUP BY v HAVING v = 1', ['t by ']],
    ['INSERT INTO t (v, a) VALUES (?, ?), (?, ?)', ['t by v, a']],
    ['UPDATE t SET a = ? WHERE v = ?', ['t by v']],
    ['DELETE FROM t WHERE a = ? AND b < ?', ['t by a']],
  ])('%s', (sql, uses) => {
    expect(usesOf(sql)).toEqual(uses);
  });

  it.each([
    ['SELECT a FROM t JOIN u ON u.v = t.v WHERE t.v = ?', ['t by v', 'u by v']],
    ['SELECT a FROM t JOIN u ON u.v = t.v WHERE t.b = ?', ['t by b', 'u by ']],
    ['SELECT a FROM t LEFT JOIN u ON u.v = t.v', ['t by ', 'u by ']],
    ['SELECT a FROM (SELECT v FROM t WHERE v = ?) p JOIN t r ON r.v = p.v', ['t by v', 't by v']],
    ['SELECT a FROM (SELECT v FROM t WHERE b = ?) p JOIN t r ON r.v = p.v', ['t by b', 't by b']],
    ['SELECT a FROM (SELECT v FROM t WHERE v = ?) p CROSS JOIN t r', ['t by v', 't by ']],
  ])('through a join: %s', (sql, uses) => {
    expect(usesOf(sql).sort()).toEqual([...uses].sort());
  });

  it.each([
    ['SELECT a FROM t WHERE v = ? UNION ALL SELECT a FROM t', ['t by v', 't by ']],
    ['SELECT (SELECT r FROM u WHERE v = ?) FROM t WHERE b = ?', ['u by v', 't by b']],
    ['SELECT (SELECT r FROM u k WHERE k.v = t.v) FROM t WHERE b = ?', ['u by v', 't by b']],
    ['WITH kept (v) AS (SELECT v FROM t) SELECT v FROM kept', ['t by ']],
  ])('of each query in it: %s', (sql, uses) => {
    expect(usesOf(sql)).toEqual(uses);
  });
});
