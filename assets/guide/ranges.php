<?php
require 'client.php';

const OVERLAP_DAYS = 60;
$range = http_build_query([
    'start_date' => gmdate('Y-m-d', time() - OVERLAP_DAYS * 86400),
    'end_date' => gmdate('Y-m-d'),
    'page_size' => 200,
]);
$kept = is_file('kept.json') ? json_decode(file_get_contents('kept.json'), true) : [];
$page_index = 0;
do {
    [, , $body] = get("/v3.0/transactions?$range&page_index=$page_index");
    foreach ($body['results'] as $sale) {
        $kept[$sale['transaction_id']] = $sale;
    }
    $page_index++;
} while ($body['meta']['pagination']['has_more']);
file_put_contents('kept.json', json_encode($kept));
$refunded = array_filter($kept, fn ($sale) => $sale['refund'] !== null);
echo count($kept), ' kept, ', count($refunded), " with a refund\n";
