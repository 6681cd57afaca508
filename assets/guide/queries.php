<?php
require 'client.php';

$query = 'min_amount=40&start_date=2025-06-01&end_date=2025-06-30&limit=100';
$after = '';
do {
    [, , $body] = get("/ledger/v1/transactions?$query$after");
    // A page may be empty and have a next one: see meta.searched_to.
    foreach ($body['results'] as ['transaction_id' => $id, 'amount' => $amount]) {
        echo "$id $amount\n";
    }
    $cursor = $body['meta']['next_cursor'];
    $after = "&after=$cursor";
} while ($cursor !== null);
