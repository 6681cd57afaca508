<?php
require 'client.php';

[, $headers] = request('/ledger/v1/transactions.ndjson', [], fopen('transactions.ndjson', 'w+'));
['x-ledger-cursor' => $cursor, 'x-ledger-count' => $count] = $headers;
$lines = 0;
foreach (new SplFileObject('transactions.ndjson') as $line) {
    $lines += $line === '' ? 0 : 1;
}
// Some proxies hide that an export was cut off.
if ($lines !== (int) $count) {
    throw new Exception("$lines of $count transactions: run it again");
}
// The cursor is written last, so it shows that the file is complete.
file_put_contents('cursor.txt', $cursor);
echo "$count transactions, cursor $cursor\n";
