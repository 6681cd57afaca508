<?php
require 'client.php';

[, $headers] = request('/ledger/v1/transactions.ndjson', [], fopen('transactions.ndjson', 'w+'));
$cursor = $headers['x-ledger-cursor'];
// Written last: a cursor means that the file is complete.
file_put_contents('cursor.txt', $cursor);
echo "{$headers['x-ledger-count']} transactions, cursor $cursor\n";
