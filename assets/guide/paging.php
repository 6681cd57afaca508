<?php
require 'client.php';

$range = 'start_date=2025-06-01&end_date=2025-06-30&page_size=200';
$page_index = 0;
do {
    [, , $body] = get("/v3.0/transactions?$range&page_index=$page_index");
    foreach ($body['results'] as $sale) {
        echo "{$sale['transaction_id']} {$sale['payouts']['seller_earnings']}\n";
    }
    $page_index++;
} while ($body['meta']['pagination']['has_more']);
